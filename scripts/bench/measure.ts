/** One line of the result: what was measured, against what, and the figure to reach. */
export type Figure = { what: string; measured: string; figure: string; holds: boolean }

/** Most rounds before the measured ones: after so many, what is called often is compiled as well as it ever is. */
const WARM_UP_MAX = 200

/** Times of one kind of call in milliseconds, sorted. */
export type Times = readonly number[]

/**
 * Calls each of `works` again and again, after half as many rounds to warm up or `WARM_UP_MAX`, turn and turn about, so that
 * whatever else the machine does meets all of them. It holds up about one call in a hundred for a while, so that a p99 needs
 * many: of two thousand rounds it stands on twenty. Returns the times of each.
 */
export async function timesInTurn(
  works: readonly (() => Promise<unknown>)[],
  { rounds = 2_000 } = {},
): Promise<Times[]> {
  const times = works.map((): number[] => [])
  for (let round = -Math.min(rounds / 2, WARM_UP_MAX); round < rounds; round += 1)
    for (const [n, work] of works.entries()) {
      const started = performance.now()
      await work()
      if (round >= 0) times[n]?.push(performance.now() - started)
    }
  return times.map((each) => each.toSorted((one, other) => one - other))
}

/** The time below which `share` (0 to 1) of the calls stay. */
export function percentile(times: Times, share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`
}

/** A figure that is a quotient of two measurements of the same run. */
export function ratio(what: string, part: number, base: number, atMost: number): Figure {
  const quotient = part / base
  return {
    what,
    measured: `${ms(part)} / ${ms(base)} = ${quotient.toFixed(2)}`,
    figure: `≤ ${Number(atMost.toFixed(2))}`,
    holds: quotient <= atMost,
  }
}

/** Two percentiles of a call under load, in milliseconds. */
type Loaded = { p50: number; p99: number; failures: number }

/**
 * A figure that is how much the p99 grows from few rows to many, under one load; the p50 of both stand beside it. Where
 * an answer was a refusal it does not hold.
 */
export function growth(what: string, many: Loaded, few: Loaded, atMost: number): Figure {
  const p99 = ratio(what, many.p99, few.p99, atMost)
  const refused = many.failures + few.failures
  const measured = `p50 ${ms(many.p50)} / ${ms(few.p50)}, p99 ${p99.measured}`
  return refused === 0 ? { ...p99, measured } : { ...p99, measured: `${measured}, ${refused} refused`, holds: false }
}

/** A figure that is an amount. */
export function amount(what: string, value: number, unit: string, atMost: number): Figure {
  const digits = value < 10 ? 2 : 0
  return { what, measured: `${value.toFixed(digits)} ${unit}`, figure: `≤ ${atMost} ${unit}`, holds: value <= atMost }
}

/** A figure that is an amount and should be large. */
export function rate(what: string, value: number, unit: string, least: number): Figure {
  return { what, measured: `${value.toFixed(0)} ${unit}`, figure: `≥ ${least} ${unit}`, holds: value >= least }
}

/** A figure that is a share of something measured in the same run, and should be large. */
export function shareOf(what: string, part: number, whole: number, unit: string, atLeast: number): Figure {
  const quotient = part / whole
  return {
    what,
    measured: `${Math.round(part)} / ${Math.round(whole)} ${unit} = ${quotient.toFixed(2)}`,
    figure: `≥ ${atLeast}`,
    holds: quotient >= atLeast,
  }
}
