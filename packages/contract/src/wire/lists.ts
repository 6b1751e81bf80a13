import * as z from 'zod/mini'
import { moment, searchText, text } from './text.ts'
import { wholeNumber } from './whole-number.ts'

/** Maximum number of rows on a page. */
export const PAGE_LIMIT_MAX = 200
/** Longest search term. */
export const SEARCH_MAX = 100
/** Totals are exact up to this number; above it, the header is `10000+`. */
export const TOTAL_EXACT_MAX = 10_000

/** `X-Total-Count`: number of matching rows, "312", or "10000+" for more. */
export const TOTAL_COUNT_HEADER = 'x-total-count'
/** `X-Page-Start`: number of matching rows before this page, for "51–100 of 312" on screen. */
export const PAGE_START_HEADER = 'x-page-start'

/** Longest cursor. It holds a name, in which JSON may need six characters for one. */
const CURSOR_MAX = 2_000

const DAY_MESSAGE = 'Use a day of this or the last century, as 2026-11-18.'
/** A UTC day. */
export const day = z.iso.date(DAY_MESSAGE).check(z.refine((value) => /^(19|20)/.test(value), DAY_MESSAGE))

/** Search term. Rows match when one of their searched fields contains it. */
export const searchTerm = z.optional(searchText(SEARCH_MAX))

/** Filters by the first and last day of creation, in UTC. */
export const createdFilters = {
  /** First day of creation, in UTC. */
  created_from: z.optional(day),
  /** Last day of creation, in UTC. */
  created_to: z.optional(day),
}

/**
 * A filter by one or several values of an enumeration, separated by commas: `active,inactive`. A row matches any of them.
 */
export function anyOf<Value extends string>(value: z.ZodMiniType<Value, Value> & { options: readonly Value[] }) {
  return z.optional(commaSeparated(value, value.options.length))
}

/** Values of one parameter, separated by commas, at most `max`. Refuses a repeated parameter. */
export function commaSeparated<Value extends string>(value: z.ZodMiniType<Value, Value>, max: number) {
  return z.pipe(
    z.transform((given: unknown) => (typeof given === 'string' ? given.split(',') : null)),
    z.array(value).check(z.minLength(1), z.maxLength(max)),
  )
}

/** The sort orders of a program that follows changes. */
export const UPDATED_SORTS = ['updated_at', '-updated_at'] as const
/**
 * Only records that were changed at this time or later; with `deleted=true`, those deleted since. A change can become visible a
 * few seconds after its time: ask again from a minute before the newest `updated_at`.
 */
export const updatedFilter = z.optional(moment)

/**
 * Without `limit`, the server streams the whole list. With `limit`, it returns one page, and the header `Link` has the next
 * and previous page (RFC 8288).
 */
export const pageFields = {
  /** Rows of one page. Without it the whole list is streamed. */
  limit: z.optional(wholeNumber(1, PAGE_LIMIT_MAX)),
  /** Opaque position of a page, from the `Link` header of a neighboring page. */
  cursor: z.optional(text(CURSOR_MAX)),
}

/** The query of a list of pages. `sort` is a column, descending with a leading `-`. */
export function listQuery<const Sort extends readonly [string, ...string[]], Filters extends z.core.$ZodLooseShape>(
  sort: Sort,
  filters: Filters,
) {
  return z.strictObject({
    ...pageFields,
    q: searchTerm,
    /** Field to sort by. A leading `-` means descending. */
    sort: z.optional(z.enum(sort)),
    ...filters,
  })
}
