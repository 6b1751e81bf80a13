import { expect, test } from 'vitest'
import { scaleOf } from './scale.ts'

test.for([
  [0, 1],
  [1, 1],
  [3, 4],
  [5, 10],
  [11, 20],
  [401, 1_000],
  [18_451, 20_000],
] as const)('bars up to %s have an axis up to %s', ([most, top]) => {
  expect(scaleOf(most)).toBe(top)
})
