import { expect, test } from 'vitest'
import { leftText, relativeText } from './moment.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

test.each([
  ['2026-11-20T11:59:31.000Z', 'just now'],
  ['2026-11-20T11:59:00.000Z', '1 minute ago'],
  ['2026-11-20T09:00:00.000Z', '3 hours ago'],
  ['2026-11-19T11:00:00.000Z', 'yesterday'],
  ['2026-11-22T12:00:00.000Z', 'in 2 days'],
  ['2026-11-27T11:58:00.000Z', 'in 7 days'],
  ['2026-08-20T12:00:00.000Z', '3 months ago'],
  ['2024-11-20T12:00:00.000Z', '2 years ago'],
])('%s is %s', (moment, text) => {
  expect(relativeText(moment, now)).toBe(text)
})

test.each([
  [1, '1 min'],
  [59.9 * 60_000, '59 min'],
  [60 * 60_000, '1 h'],
  [23.9 * 3_600_000, '23 h'],
  [6.9 * 86_400_000, '6 d'],
])('%s ms are left as %s', (left, text) => {
  expect(leftText(left)).toBe(text)
})
