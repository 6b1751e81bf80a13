import * as z from 'zod/mini'

/** Minimum aggressiveness of a tenant. */
export const AGGRESSIVENESS_MIN = 0
/** Greatest aggressiveness. */
export const AGGRESSIVENESS_MAX = 10
/** Step of the slider. */
export const AGGRESSIVENESS_STEP = 0.1
/** Aggressiveness of a preview without a tenant. */
export const AGGRESSIVENESS_DEFAULT = 5

/** Upper end of the green band. */
export const GREEN_UP_TO = 3
/** Upper end of the yellow band; the band above is red. */
export const YELLOW_UP_TO = 6

/** The color band of a value: 3 is green, 3.1 and 6 are yellow, 6.1 is red. */
export function aggressivenessBand(value: number): 'green' | 'yellow' | 'red' {
  if (value <= GREEN_UP_TO) return 'green'
  return value <= YELLOW_UP_TO ? 'yellow' : 'red'
}

/** 0 to 10 in steps of 0.1, kept as `numeric(3,1)`: 5.05 and 10.1 are refused, never rounded. */
export const aggressiveness = z.number().check(
  z.minimum(AGGRESSIVENESS_MIN, 'Aggressiveness is at least 0.'),
  z.maximum(AGGRESSIVENESS_MAX, 'Aggressiveness is at most 10.'),
  z.refine((value) => Math.round(value * 10) / 10 === value, 'Aggressiveness has one decimal.'),
)
