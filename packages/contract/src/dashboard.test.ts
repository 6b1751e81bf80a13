import { expect, test } from 'vitest'
import { daysOfMonth, lastMonths, recentSince } from './dashboard.ts'

test.each([
  ['2026-11-20T23:59:59.999Z', '2026-10-22'],
  ['2026-11-21T00:00:00.000Z', '2026-10-23'],
  ['2028-03-29T12:00:00.000Z', '2028-02-29'],
  ['2027-01-05T00:00:00.000Z', '2026-12-07'],
])('at %s the recent days begin with %s', (now, day) => {
  expect(recentSince(new Date(now))).toBe(day)
})

test.each([
  ['2026-11-30T23:59:59.999Z', ['2026-09', '2026-10', '2026-11']],
  ['2027-01-31T00:00:00.000Z', ['2026-11', '2026-12', '2027-01']],
])('at %s the last three months are %j', (now, months) => {
  expect(lastMonths(new Date(now), 3)).toEqual(months)
})

test.each([
  ['2026-11', '2026-11-01', '2026-11-30'],
  ['2026-12', '2026-12-01', '2026-12-31'],
  ['2028-02', '2028-02-01', '2028-02-29'],
])('%s has the days from %s to %s', (month, first, last) => {
  expect(daysOfMonth(month)).toEqual({ first, last })
})
