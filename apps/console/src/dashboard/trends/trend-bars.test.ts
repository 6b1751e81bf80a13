import { expect, test } from 'vitest'
import { changeText, trendBars } from './trend-bars.ts'

test.each([
  [112, 100, '+12%'],
  [92, 100, '−8%'],
  [100, 100, '±0%'],
  [0, 40, '−100%'],
  [1_004, 1_000, '+0.4%'],
  [1_000_001, 1_000_000, '+0.1%'],
  [600, 40, '+1,400%'],
  [5, 0, null],
  [0, 0, null],
])('%i after %i is a change of %s', (count, before, text) => {
  expect(changeText(count, before)).toBe(text)
})

/** Days from 2026-01-01 on, with the number of the day as the figure. */
const days = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    day: new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
    users: n + 1,
    tenants: 0,
    accepted: 0,
    refused: 0,
  }))

test('up to sixty days have a bar each', () => {
  const bars = trendBars(days(60), 'users')
  expect(bars).toHaveLength(60)
  expect(bars[0]).toEqual({ from: '2026-01-01', to: '2026-01-01', count: 1 })
  expect(bars[59]).toEqual({ from: '2026-03-01', to: '2026-03-01', count: 60 })
})

test('longer ranges have a bar a week, and the first bar has the rest', () => {
  const bars = trendBars(days(61), 'users')
  expect(bars).toHaveLength(9)
  expect(bars[0]).toEqual({ from: '2026-01-01', to: '2026-01-05', count: 1 + 2 + 3 + 4 + 5 })
  expect(bars[1]).toEqual({ from: '2026-01-06', to: '2026-01-12', count: 6 + 7 + 8 + 9 + 10 + 11 + 12 })
  expect(bars[8]?.to).toBe('2026-03-02')
  expect(trendBars(days(63), 'users')).toHaveLength(9)
  expect(trendBars(days(63), 'users')[0]?.to).toBe('2026-01-07')
})
