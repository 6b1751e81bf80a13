import { expect, test } from 'vitest'
import { parseDay } from './parse-day.ts'

const NOW = Date.parse('2026-11-28T10:00:00Z')

test.each([
  ['2026-11-18', '2026-11-18'],
  ['Nov 18, 2026', '2026-11-18'],
  ['nov 18 2025', '2025-11-18'],
  ['18 November 2026', '2026-11-18'],
  [' Nov 3 ', '2026-11-03'],
  ['3 nov', '2026-11-03'],
  ['Dec 1', '2025-12-01'],
  ['Feb 29, 2024', '2024-02-29'],
  ['Feb 30, 2026', null],
  ['2026-13-01', null],
  ['11/18/2026', null],
  ['November', null],
  ['Nov 181', null],
  ['Smarch 3', null],
  ['', null],
])('"%s" is the day %s', (typed, day) => {
  expect(parseDay(typed, NOW)).toBe(day)
})
