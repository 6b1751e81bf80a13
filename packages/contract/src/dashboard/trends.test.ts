import { expect, test } from 'vitest'
import { daysIn, lastDays, rangeBefore, rangeProblem } from './trends.ts'

test.each([
  ['2026-11-23', 30, '2026-10-25'],
  ['2026-11-23', 1, '2026-11-23'],
  ['2028-03-01', 2, '2028-02-29'],
  ['2027-01-01', 7, '2026-12-26'],
])('the days up to %s, %i of them, begin with %s', (to, count, from) => {
  expect(lastDays(to, count)).toEqual({ from, to })
  expect(daysIn({ from, to })).toBe(count)
})

test.each([
  [
    { from: '2026-10-25', to: '2026-11-23' },
    { from: '2026-09-25', to: '2026-10-24' },
  ],
  [
    { from: '2028-03-01', to: '2028-03-01' },
    { from: '2028-02-29', to: '2028-02-29' },
  ],
  [
    { from: '2026-01-01', to: '2026-12-31' },
    { from: '2025-01-01', to: '2025-12-31' },
  ],
])('the period before %o is %o', (range, before) => {
  expect(rangeBefore(range)).toEqual(before)
})

test.each([
  ['2026-11-23', '2026-11-23', null],
  ['2026-11-24', '2026-11-23', 'The first day must not be after the last day.'],
  ['2028-01-01', '2028-12-31', null],
  ['2027-12-31', '2028-12-31', 'Choose at most 366 days.'],
])('the range from %s to %s has the problem %s', (from, to, problem) => {
  expect(rangeProblem({ from, to })).toBe(problem)
})
