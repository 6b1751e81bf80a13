import { expect, test } from 'vitest'
import { scaleOf } from './scale.ts'

test.for([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [11, [0, 3, 6, 9, 12]],
  [1_906, [0, 400, 800, 1_200, 1_600, 2_000]],
  [158_020, [0, 40_000, 80_000, 120_000, 160_000]],
] as const)('bars up to %s have an axis with the marks %o', ([most, marks]) => {
  expect(scaleOf(most)).toEqual(marks)
})
