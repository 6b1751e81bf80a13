import { expect, test } from 'vitest'
import { startOnSlowMachine } from './slow-machine.ts'

test('the empty product and each server start on a busy machine, and sign-ins succeed', async () => {
  const starts = await startOnSlowMachine({ rounds: 1, busyPerCore: 2 })
  expect(starts.map(({ what, problem }) => [what, problem])).toEqual([
    ['first start', null],
    ['admin-api', null],
    ['ai-api', null],
    ['worker', null],
  ])
}, 600_000)
