import { expect, test } from 'vitest'
import { changeText } from './change-text.ts'

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
