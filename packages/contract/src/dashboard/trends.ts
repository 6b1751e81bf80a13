import * as z from 'zod/mini'
import { wholeNumber } from '#src/wire/whole-number.ts'

/** Days of trends without `days`. */
export const TREND_DAYS_DEFAULT = 30
/** Maximum number of days of trends. */
export const TREND_DAYS_MAX = 366

export const trendsQuery = z.strictObject({
  /** Number of days up to today. By default 30. */
  days: z.optional(wholeNumber(1, TREND_DAYS_MAX)),
})
export type TrendsQuery = z.infer<typeof trendsQuery>

const figures = {
  /** Created users, members included. */
  users: z.int(),
  /** Created tenants. */
  tenants: z.int(),
  /** Accepted calls with live keys. */
  accepted: z.int(),
  /** Refused calls with live keys. */
  refused: z.int(),
}

/** New users, new tenants and calls by UTC day, and their sums. Deleted records are not counted. */
export const trends = z.object({
  /** The last days, oldest first, up to today. */
  days: z.array(
    z.object({
      /** The day, in UTC. */
      day: z.iso.date(),
      ...figures,
    }),
  ),
  /** The sums of these days. */
  total: z.object(figures),
  /** The sums of the same number of days before. */
  before: z.object(figures),
})
export type Trends = z.infer<typeof trends>
