import { describe, expect, test } from 'vitest'
import { FREQUENCIES, type Frequency, nextRun, nextRuns, runsPerMonth } from './schedule.ts'

const cases: [Frequency, string, string, string[]][] = [
  ['daily', '2024-02-28T09:30:00.123Z', '2024-02-28T09:30:00.123Z', ['2024-02-29', '2024-03-01', '2024-03-02']],
  ['daily', '2026-12-30T23:59:59.999Z', '2026-12-31T00:00:00.000Z', ['2026-12-31', '2027-01-01', '2027-01-02']],
  ['weekly', '2024-02-22T00:00:00.000Z', '2024-02-22T00:00:00.000Z', ['2024-02-29', '2024-03-07', '2024-03-14']],
  ['biweekly', '2025-12-25T12:00:00.000Z', '2025-12-25T12:00:00.000Z', ['2026-01-08', '2026-01-22', '2026-02-05']],
  ['monthly', '2026-01-31T10:00:00.000Z', '2026-01-31T10:00:00.000Z', ['2026-02-28', '2026-03-31', '2026-04-30']],
  ['monthly', '2024-01-31T10:00:00.000Z', '2024-01-31T10:00:00.000Z', ['2024-02-29', '2024-03-31', '2024-04-30']],
  ['monthly', '2099-12-31T10:00:00.000Z', '2099-12-31T10:00:00.000Z', ['2100-01-31', '2100-02-28', '2100-03-31']],
  ['monthly', '1999-12-31T10:00:00.000Z', '1999-12-31T10:00:00.000Z', ['2000-01-31', '2000-02-29', '2000-03-31']],
  ['monthly', '2026-08-30T10:00:00.000Z', '2027-01-30T10:00:00.000Z', ['2027-02-28', '2027-03-30', '2027-04-30']],
  ['monthly', '2024-02-29T10:00:00.000Z', '2025-02-28T09:59:59.999Z', ['2025-02-28', '2025-03-29', '2025-04-29']],
  ['monthly', '2026-11-15T10:00:00.000Z', '2026-11-15T10:00:00.000Z', ['2026-12-15', '2027-01-15', '2027-02-15']],
]
test.for(cases)('%s from %s, after %s', ([frequency, anchor, after, days]) => {
  expect(nextRuns(anchor, frequency, after, 3)).toEqual(days.map((day) => `${day}${anchor.slice(10)}`))
})

describe.for(FREQUENCIES)('%s', (frequency) => {
  const anchor = '2024-01-31T02:30:00.000Z'

  test('at a time of the schedule the next time follows', () => {
    const [first = '', second = ''] = nextRuns(anchor, frequency, anchor, 2)
    expect(nextRun(anchor, frequency, first)).toBe(second)
  })

  test('a moment before the anchor changes nothing', () => {
    expect(nextRun(anchor, frequency, '2020-05-05T00:00:00.000Z')).toBe(nextRun(anchor, frequency, anchor))
  })

  test('many missed times become one, and the schedule continues', () => {
    const times = nextRuns(anchor, frequency, anchor, 2_000)
    expect(new Set(times).size).toBe(2_000)
    for (const [n, time] of times.slice(0, -1).entries()) {
      const justAfter = new Date(Date.parse(time) + 1).toISOString()
      expect(nextRun(anchor, frequency, justAfter)).toBe(times[n + 1])
      expect(time.slice(10)).toBe(anchor.slice(10))
    }
  })

  test('the estimate is for an average month', () => {
    const times = nextRuns('2025-01-01T00:00:00.000Z', frequency, '2025-01-01T00:00:00.000Z', 4_000)
    const inTenYears = times.filter((time) => time <= '2035-01-01T00:00:00.000Z').length
    expect(Math.abs(inTenYears / 120 - runsPerMonth(frequency))).toBeLessThan(0.05)
  })
})
