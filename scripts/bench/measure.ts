/** A line of the result: the measurement, its value, and the bound. */
export type Figure = { what: string; measured: string; figure: string; holds: boolean }

/** Maximum number of warm-up rounds; after these, hot functions are optimized. */
const WARM_UP_MAX = 200

/** Times of one call in milliseconds, sorted. */
export type Times = readonly number[]

/**
 * Calls each of `works` repeatedly and in alternation, so that other load on the machine affects all, after half as
 * many warm-up rounds (at most `WARM_UP_MAX`). The machine pauses about one call in a hundred, so a p99 needs thousands
 * of rounds. Returns the times of each.
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

/** The time in which `share` (0 to 1) of the calls end. */
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
 * A figure for the p99 among many rows, in milliseconds, beside its growth from few rows under the same load and both
 * p50. A refused call fails the figure.
 */
export function growth(what: string, many: Loaded, few: Loaded, atMost: number): Figure {
  const refused = many.failures + few.failures
  const growths = `p50 ${ms(many.p50)} / ${ms(few.p50)}, p99 ${ms(many.p99)} / ${ms(few.p99)}`
  return {
    what,
    measured: `${growths} = ${(many.p99 / few.p99).toFixed(2)}${refused === 0 ? '' : `, ${refused} refused`}`,
    figure: `≤ ${atMost} ms`,
    holds: many.p99 <= atMost && refused === 0,
  }
}

/** A figure with a maximum amount. */
export function amount(what: string, value: number, unit: string, atMost: number): Figure {
  const digits = value < 10 ? 2 : 0
  return { what, measured: `${value.toFixed(digits)} ${unit}`, figure: `≤ ${atMost} ${unit}`, holds: value <= atMost }
}
