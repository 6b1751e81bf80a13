import * as z from 'zod/mini'
import { text } from './text.ts'
import { wholeNumber } from './whole-number.ts'

/** Maximum number of rows on a page. */
export const PAGE_LIMIT_MAX = 200
/** Longest search term. */
export const SEARCH_MAX = 100
/** Totals are exact up to here; above, the header says `10000+`. */
export const TOTAL_EXACT_MAX = 10_000
/**
 * Up to here where counting would take longer than the page; above, the header says `1000+` (docs/decisions/0017).
 */
export const TOTAL_COUNTED_MAX = 1_000

/** `X-Total-Count`: how many rows match, "312", or that there are more, "10000+". */
export const TOTAL_COUNT_HEADER = 'x-total-count'
/**
 * `X-Page-Sort`: the order of the rows: the `sort` asked for, or one of these where too many match
 * (docs/decisions/0018).
 */
export const PAGE_SORT_HEADER = 'x-page-sort'
export const NEWEST_FIRST = '-created_at'
/** Of tenants: the one with the key that ends first comes first. */
export const KEYS_END = 'keys_end'
/** Order of the tenants with refused keys without a `sort`: the tenant with the most refused key comes first. */
export const MOST_REFUSED = '-most_refused'
/** `X-Page-Start`: how many matching rows come before this page, so that a screen can say "51–100 of 312". */
export const PAGE_START_HEADER = 'x-page-start'

const DAY_MESSAGE = 'Use a day of this or the last century, as 2026-11-18.'
/** A day of UTC. */
export const day = z.iso.date(DAY_MESSAGE).check(z.refine((value) => /^(19|20)/.test(value), DAY_MESSAGE))

/** Leaves what was created on these days of UTC and between them. */
export const createdFilters = {
  created_from: z.optional(day),
  created_to: z.optional(day),
}

/**
 * The query of a list. Without `limit` the whole list is streamed, newest first; with it comes one page, and
 * `Link` names the next and previous page (RFC 8288). `sort` is a column, descending with a leading `-`.
 */
export function listQuery<const Sort extends readonly [string, ...string[]], Filters extends z.core.$ZodLooseShape>(
  sort: Sort,
  filters: Filters,
) {
  return z.strictObject({
    limit: z.optional(wholeNumber(1, PAGE_LIMIT_MAX)),
    cursor: z.optional(text(1_000)),
    q: z.optional(text(SEARCH_MAX)),
    sort: z.optional(z.enum(sort)),
    ...filters,
  })
}
