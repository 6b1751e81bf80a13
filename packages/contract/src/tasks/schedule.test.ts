import { describe, expect, test } from 'vitest'
import { FREQUENCIES, type Frequency, nextRun, nextRuns, runsPerMonth } from './schedule.ts'

/** A schedule without a time of day. */
const since = (created_at: string, frequency: Frequency) => ({ created_at, frequency, run_time: null, time_zone: null })

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
  expect(nextRuns(since(anchor, frequency), after, 3)).toEqual(days.map((day) => `${day}${anchor.slice(10)}`))
})

describe.for(FREQUENCIES)('%s', (frequency) => {
  const anchor = '2024-01-31T02:30:00.000Z'
  const schedule = since(anchor, frequency)

  test('at a time of the schedule the next time follows', () => {
    const [first = '', second = ''] = nextRuns(schedule, anchor, 2)
    expect(nextRun(schedule, first)).toBe(second)
  })

  test('a moment before the anchor changes nothing', () => {
    expect(nextRun(schedule, '2020-05-05T00:00:00.000Z')).toBe(nextRun(schedule, anchor))
  })

  test('many missed times become one, and the schedule continues', () => {
    const times = nextRuns(schedule, anchor, 2_000)
    expect(new Set(times).size).toBe(2_000)
    for (const [n, time] of times.slice(0, -1).entries()) {
      const justAfter = new Date(Date.parse(time) + 1).toISOString()
      expect(nextRun(schedule, justAfter)).toBe(times[n + 1])
      expect(time.slice(10)).toBe(anchor.slice(10))
    }
  })

  test('the estimate is for an average month', () => {
    const begin = '2025-01-01T00:00:00.000Z'
    const times = nextRuns(since(begin, frequency), begin, 4_000)
    const inTenYears = times.filter((time) => time <= '2035-01-01T00:00:00.000Z').length
    expect(Math.abs(inTenYears / 120 - runsPerMonth(frequency))).toBeLessThan(0.05)
  })
})

describe('a time of day in a time zone', () => {
  const at = (created_at: string, frequency: Frequency, run_time: string, time_zone: string) => ({
    created_at,
    frequency,
    run_time,
    time_zone,
  })

  const zoned: [string, string, Frequency, string, string, string[]][] = [
    // Clocks go forward from 02:00 to 03:00, and back from 03:00 to 02:00.
    ['Europe/Berlin', '02:30', 'daily', '2026-03-01T12:00Z', '2026-03-27T12:00Z', ['28T01:30', '29T01:30', '30T00:30']],
    ['Europe/Berlin', '02:30', 'daily', '2026-03-01T12:00Z', '2026-10-23T12:00Z', ['24T00:30', '25T00:30', '26T01:30']],
    ['Europe/Berlin', '09:00', 'weekly', '2026-10-20T06:30Z', '2026-10-20T06:30Z', ['20T07:00', '27T08:00']],
    [
      'America/New_York',
      '02:30',
      'daily',
      '2026-01-05T12:00Z',
      '2026-03-06T12:00Z',
      ['07T07:30', '08T07:30', '09T06:30'],
    ],
    [
      'America/New_York',
      '01:30',
      'daily',
      '2026-01-05T12:00Z',
      '2026-10-30T12:00Z',
      ['31T05:30', '01T05:30', '02T06:30'],
    ],
    // By half an hour, from 02:00 to 02:30 and back.
    [
      'Australia/Lord_Howe',
      '02:15',
      'daily',
      '2026-01-05T12:00Z',
      '2026-10-02T12:00Z',
      ['02T15:45', '03T15:45', '04T15:15'],
    ],
    [
      'Australia/Lord_Howe',
      '01:45',
      'daily',
      '2026-01-05T12:00Z',
      '2026-04-03T12:00Z',
      ['03T14:45', '04T14:45', '05T15:15'],
    ],
    ['Asia/Kolkata', '02:30', 'daily', '2026-03-01T12:00Z', '2026-03-28T12:00Z', ['28T21:00', '29T21:00', '30T21:00']],
    // The 31st of the zone is the 30th in UTC.
    [
      'Asia/Kolkata',
      '00:15',
      'monthly',
      '2026-08-30T19:00Z',
      '2026-08-30T19:00Z',
      ['29T18:45', '30T18:45', '29T18:45'],
    ],
    [
      'Europe/Berlin',
      '23:45',
      'monthly',
      '2026-01-31T10:00Z',
      '2026-01-31T10:00Z',
      ['31T22:45', '28T22:45', '31T21:45'],
    ],
    ['America/New_York', '20:00', 'biweekly', '2026-10-25T12:00Z', '2026-10-25T12:00Z', ['26T00:00', '09T01:00']],
  ]
  test.for(zoned)('%s %s, %s from %s, after %s', ([zone, time, frequency, created, after, expected]) => {
    const schedule = at(new Date(created).toISOString(), frequency, time, zone)
    const times = nextRuns(schedule, new Date(after).toISOString(), expected.length)
    expect(times.map((each) => each.slice(8, 16))).toEqual(expected)
  })

  test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Casablanca', 'UTC'])(
    'in %s every day has one run, at every time of day, through three years',
    (zone) => {
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
      for (let half = 0; half < 48; half += 5) {
        const time = `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`
        const schedule = at('2025-12-31T12:00:00.000Z', 'daily', time, zone)
        const times = nextRuns(schedule, '2026-01-01T12:00:00.000Z', 1_096)
        expect(new Set(times.map((each) => day.format(new Date(each)))).size).toBe(1_096)
        for (const [n, each] of times.slice(0, -1).entries()) expect(nextRun(schedule, each)).toBe(times[n + 1])
      }
    },
  )
})
