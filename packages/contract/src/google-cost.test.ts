import { expect, test } from 'vitest'
import { googleEstimate } from './google-cost.ts'
import type { Frequency } from '#src/tasks/schedule.ts'

const cases: [Frequency, number, number, number, number][] = [
  ['monthly', 1, 1, 0, 0.03],
  ['biweekly', 1, 2, 0, 0.05],
  ['weekly', 1, 4, 0, 0.1],
  ['daily', 1, 30, 0, 0.75],
  ['monthly', 1_000, 1_000, 0, 25],
  ['monthly', 1_001, 1_001, 0.03, 25.03],
  ['weekly', 500, 2_174, 29.35, 54.35],
  ['daily', 500, 15_218, 355.45, 380.45],
  ['daily', 0, 0, 0, 0],
]
test.for(cases)('%s for %i tasks is %i calls and $%d, at most $%d', ([frequency, tasks, calls, usd, usd_at_most]) => {
  expect(googleEstimate(frequency, tasks)).toEqual({ calls, usd, usd_at_most })
})

test('other prices may be given', () => {
  const prices = { usd_per_1000_calls: 20, free_calls_per_month: 0 }
  expect(googleEstimate('monthly', 50, prices)).toEqual({ calls: 50, usd: 1, usd_at_most: 1 })
})
