import { type Frequency, runsPerMonth } from '#src/tasks/schedule.ts'

/**
 * What Google asks for one call of a task ("Place Details Enterprise + Atmosphere"), after its US list price: an
 * estimate to plan with, not what the bill will say. The free calls of a month are for the platform, not for each
 * task.
 */
export const ESTIMATED_PRICES = { usd_per_1000_calls: 25, free_calls_per_month: 1_000 } as const
export type GooglePrices = { usd_per_1000_calls: number; free_calls_per_month: number }

/**
 * Calls to Google in an average month, and what they may cost in US dollars: with the free calls, and without any.
 */
export type GoogleEstimate = { calls: number; usd: number; usd_at_most: number }

/** The estimate for so many tasks of a frequency that each succeed at once; every retry is one call more. */
export function googleEstimate(
  frequency: Frequency,
  tasks = 1,
  { usd_per_1000_calls, free_calls_per_month }: GooglePrices = ESTIMATED_PRICES,
): GoogleEstimate {
  const calls = Math.round(tasks * runsPerMonth(frequency))
  const price = (billed: number) => Math.round(Math.max(0, billed) * usd_per_1000_calls * 0.1) / 100
  return { calls, usd: price(calls - free_calls_per_month), usd_at_most: price(calls) }
}
