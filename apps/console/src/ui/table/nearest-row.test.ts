import { expect, test } from 'vitest'
import { nearestRow } from './nearest-row.ts'

test.for([
  ['starts at the first row', undefined, [], ['a', 'b'], 'a'],
  ['stays at its row', 'b', ['a', 'b'], ['b', 'a'], 'b'],
  ['stays at a row of an earlier visit', 'b', [], ['a', 'b'], 'b'],
  ['moves to the next row', 'b', ['a', 'b', 'c'], ['a', 'c'], 'c'],
  ['skips removed rows', 'b', ['a', 'b', 'c', 'd'], ['a', 'd', 'e'], 'd'],
  ['moves up from the last row', 'c', ['a', 'b', 'c'], ['a', 'b'], 'b'],
  ['starts again on another page', 'b', ['a', 'b'], ['c', 'd'], 'c'],
  ['starts again after an unknown row', 'x', [], ['a', 'b'], 'a'],
  ['is nowhere without rows', 'b', ['a', 'b'], [], undefined],
] as const)('the cursor %s', ([, id, before, after, expected]) => {
  expect(nearestRow(id, before, after)).toBe(expected)
})
