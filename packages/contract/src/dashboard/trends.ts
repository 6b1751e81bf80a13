import * as z from 'zod/mini'
import { day } from '#src/wire/lists.ts'
import { dayOf, DAY_MS } from '#src/wire/days.ts'

/** Days of a range of trends without `from`, including its last day. */
export const TREND_DAYS_DEFAULT = 30
/** Maximum number of days in a range of trends. */
export const TREND_DAYS_MAX = 366

/** UTC days, both ends included: "2026-10-25" to "2026-11-23". */
export type DayRange = { from: string; to: string }

/** The `count` days that end with `to`. */
export function lastDays(to: string, count: number): DayRange {
  return { from: dayOf(Date.parse(to) - (count - 1) * DAY_MS), to }
}

/** Number of days in a range; not positive for a range that ends before its start. */
export function daysIn({ from, to }: DayRange): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
}

/** The range of the same length that ends the day before. */
export function rangeBefore(range: DayRange): DayRange {
  return lastDays(dayOf(Date.parse(range.from) - DAY_MS), daysIn(range))
}

/** The problem with a range as a sentence, or `null` for a valid range. */
export function rangeProblem(range: DayRange): string | null {
  const count = daysIn(range)
  if (count < 1) return 'The first day must not be after the last day.'
  return count > TREND_DAYS_MAX ? `Choose at most ${TREND_DAYS_MAX} days.` : null
}

/** Without `to`, the range ends today. Without `from`, the range has 30 days. */
export const trendsQuery = z.strictObject({ from: z.optional(day), to: z.optional(day) })
export type TrendsQuery = z.infer<typeof trendsQuery>

const figures = {
  /** Created users, members included. */
  users: z.int(),
  /** Created tenants. */
  tenants: z.int(),
  /** Accepted checks of API keys. */
  accepted: z.int(),
  /** Refused checks of API keys. */
  refused: z.int(),
}
const range = z.object({ from: z.iso.date(), to: z.iso.date() })

/**
 * New users, new tenants and checks of API keys by UTC day, beside the equal period before. Deleted records are not
 * counted.
 */
export const trends = z.extend(range, {
  /** Every day of the range, oldest first. */
  days: z.array(z.object({ day: z.iso.date(), ...figures })),
  total: z.object(figures),
  /** The period of the same length that ends the day before `from`. */
  before: z.extend(range, { total: z.object(figures) }),
})
export type Trends = z.infer<typeof trends>
