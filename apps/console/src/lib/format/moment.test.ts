import { describe, expect, test, vi } from 'vitest'

/** The module as a browser in this time zone loads it. */
async function momentsIn(zone: string) {
  vi.stubEnv('TZ', zone)
  vi.resetModules()
  return await import('./moment.ts')
}

const NOW = Date.parse('2026-11-20T12:00:00.000Z')

describe('relative times', () => {
  test.each([
    ['UTC', '2026-11-20T11:59:31.000Z', 'just now'],
    ['UTC', '2026-11-20T11:59:00.000Z', '1 min ago'],
    ['UTC', '2026-11-20T11:00:31.000Z', '59 min ago'],
    ['UTC', '2026-11-20T09:00:00.000Z', '3 hours ago'],
    ['UTC', '2026-11-19T12:00:01.000Z', '23 hours ago'],
    ['UTC', '2026-11-19T11:00:00.000Z', 'yesterday'],
    // 35 hours ago, but two midnights.
    ['UTC', '2026-11-18T23:00:00.000Z', '2 days ago'],
    ['Asia/Tokyo', '2026-11-18T23:00:00.000Z', 'yesterday'],
    ['UTC', '2026-11-21T13:00:00.000Z', 'tomorrow'],
    ['UTC', '2026-11-22T12:00:00.000Z', 'in 2 days'],
    ['UTC', '2026-11-14T00:00:00.000Z', '6 days ago'],
    ['UTC', '2026-11-13T23:59:00.000Z', 'Nov 13'],
    ['UTC', '2026-11-27T11:58:00.000Z', 'Nov 27'],
    ['UTC', '2026-08-20T12:00:00.000Z', 'Aug 20'],
    ['UTC', '2024-11-20T12:00:00.000Z', 'Nov 20, 2024'],
  ])('in %s, %s is %s', async (zone, moment, text) => {
    expect((await momentsIn(zone)).relativeText(moment, NOW)).toBe(text)
  })

  test('a night of 25 hours is one day', async () => {
    const { relativeText } = await momentsIn('Europe/Berlin')
    // The clocks went back on October 25, 2026.
    expect(relativeText('2026-10-24T12:00:00.000Z', Date.parse('2026-10-25T13:00:00.000Z'))).toBe('yesterday')
  })
})

test.each([
  ['2026-01-01T00:00:00.000Z', 'Jan 1'],
  ['2025-12-31T23:59:00.000Z', 'Dec 31, 2025'],
  ['2027-02-01T12:00:00.000Z', 'Feb 1, 2027'],
])('%s is the day %s', async (moment, day) => {
  expect((await momentsIn('UTC')).shortDayText(moment, NOW)).toBe(day)
})

describe('times', () => {
  test.each([
    ['UTC', '2026-11-20T00:00:00.000Z', '00:00', 'Nov 20, 2026, 00:00', 'Nov 20, 2026, 00:00:00 (UTC)'],
    ['UTC', '2026-11-19T23:59:59.000Z', 'Nov 19, 23:59', 'Nov 19, 2026, 23:59', 'Nov 19, 2026, 23:59:59 (UTC)'],
    ['UTC', '2027-01-01T13:09:00.000Z', 'Jan 1, 2027, 13:09', 'Jan 1, 2027, 13:09', 'Jan 1, 2027, 13:09:00 (UTC)'],
    ['Europe/Berlin', '2026-11-19T23:30:00.000Z', '00:30', 'Nov 20, 2026, 00:30', 'Nov 20, 2026, 00:30:00 (UTC+1)'],
    [
      'America/New_York',
      '2026-11-20T04:00:00.000Z',
      'Nov 19, 23:00',
      'Nov 19, 2026, 23:00',
      'Nov 19, 2026, 23:00:00 (UTC-5)',
    ],
    [
      'Asia/Kolkata',
      '2026-11-27T07:39:05.000Z',
      'Nov 27, 13:09',
      'Nov 27, 2026, 13:09',
      'Nov 27, 2026, 13:09:05 (UTC+5:30)',
    ],
  ])('in %s, %s is %s', async (zone, moment, time, day, full) => {
    const { timeText, momentText, fullText } = await momentsIn(zone)
    expect([timeText(moment, NOW), momentText(moment), fullText(moment)]).toEqual([time, day, full])
  })

  test('the hour that a clock change repeats has two UTC offsets', async () => {
    const { fullText } = await momentsIn('Europe/Berlin')
    expect(fullText('2026-10-25T00:30:00.000Z')).toBe('Oct 25, 2026, 02:30:00 (UTC+2)')
    expect(fullText('2026-10-25T01:30:00.000Z')).toBe('Oct 25, 2026, 02:30:00 (UTC+1)')
  })

  test('the long form has the time', async () => {
    expect((await momentsIn('Europe/Berlin')).longText('2026-11-18T08:30:00.000Z')).toBe(
      'November 18, 2026 at 09:30:00',
    )
  })
})

test.each([
  ['UTC', '2026-11-20', 'UTC'],
  ['Europe/Berlin', '2026-11-20', 'Europe/Berlin (UTC+1)'],
  ['Europe/Berlin', '2026-07-20', 'Europe/Berlin (UTC+2)'],
])('the zone %s on %s is %s', async (zone, day, text) => {
  expect((await momentsIn(zone)).zoneText(Date.parse(day))).toBe(text)
})

test.each(['UTC', 'America/New_York', 'Asia/Tokyo'])(
  'in %s, days and months of figures are those of UTC',
  async (zone) => {
    const { utcDayText, utcDaysText, monthText } = await momentsIn(zone)
    expect(utcDayText('2026-11-01')).toBe('Nov 1')
    expect(utcDaysText('2026-11-01', undefined)).toBe('since Nov 1, 2026 (UTC)')
    expect(utcDaysText(undefined, '2026-11-30')).toBe('until Nov 30, 2026 (UTC)')
    expect(utcDaysText('2026-11-01', '2026-11-30')).toBe('Nov 1\u2009–\u200930, 2026 (UTC)')
    expect(monthText('2026-11')).toBe('November 2026')
  },
)
