import { expect, test } from 'vitest'
import { relativeText } from './moment.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

test.each([
  ['2026-11-20T11:59:31.000Z', 'just now'],
  ['2026-11-20T11:59:00.000Z', '1 minute ago'],
  ['2026-11-20T09:00:00.000Z', '3 hours ago'],
  ['2026-11-19T11:00:00.000Z', 'yesterday'],
  ['2026-11-22T12:00:00.000Z', 'in 2 days'],
  ['2026-08-20T12:00:00.000Z', '3 months ago'],
  ['2024-11-20T12:00:00.000Z', '2 years ago'],
])('%s is %s', (moment, text) => {
  expect(relativeText(moment, now)).toBe(text)
})
