import { expect, test } from 'vitest'
import { aggressiveness, aggressivenessBand } from './aggressiveness.ts'

const bands = [
  [0, 'green'],
  [3, 'green'],
  [3.1, 'yellow'],
  [6, 'yellow'],
  [6.1, 'red'],
  [10, 'red'],
] as const
test.for(bands)('%s is %s', ([value, band]) => {
  expect(aggressivenessBand(value)).toBe(band)
})

test('every tenth from 0 to 10 is accepted, despite rounding errors', () => {
  for (let tenth = 0; tenth <= 100; tenth += 1) expect(aggressiveness.safeParse(tenth / 10).success).toBe(true)
  expect(aggressiveness.safeParse(0.1 + 0.2).success).toBe(false)
})

test.for([5.05, 10.1, -0.1, 1e-9, Infinity, Number.NaN, '5', null])('%s is refused', (value) => {
  expect(aggressiveness.safeParse(value).success).toBe(false)
})
