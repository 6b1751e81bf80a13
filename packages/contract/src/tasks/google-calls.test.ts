import { expect, test } from 'vitest'
import { monthlyCalls } from './google-calls.ts'

const NONE = { daily: 0, weekly: 0, biweekly: 0, monthly: 0 }

// The examples of docs/google.md: 500 tasks.
test.each([
  [{ ...NONE }, 0, 0],
  [{ ...NONE, monthly: 1_000 }, 1_000, 0],
  [{ ...NONE, monthly: 1_001 }, 1_001, 0],
  [{ ...NONE, daily: 500 }, 15_218, 355],
  [{ ...NONE, weekly: 500 }, 2_174, 29],
  [{ daily: 10, weekly: 10, biweekly: 10, monthly: 10 }, 380, 0],
])('%o make %i calls a month for %i dollars', (tasks, calls, usd) => {
  const forecast = monthlyCalls(tasks)
  expect([forecast.calls, Math.round(forecast.usd)]).toEqual([calls, usd])
})
