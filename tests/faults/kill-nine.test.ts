import { expect, test } from 'vitest'
import { killNine } from './kill-nine.ts'

test('kill -9 loses no acknowledged change', async () => {
  const outcome = await killNine(5, () => {})
  expect(outcome).toMatchObject({ lost: [], refused: [], leftovers: [], audit: { state: 'holds' } })
  expect(outcome.acknowledged).toBeGreaterThan(0)
})
