import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import type { CountedNoun } from '@switchboard/database/column-types'
import { type RawBuilder, sql } from 'kysely'

// Totals of lists from the counters of the database. Counting 10,001 index entries takes longer than reading the page.

/** A facet of the counters, and the filters that it counts. `only` has the counted values of these filters. */
export type Counter = { filters: readonly string[]; facet: string; only?: readonly string[] }

/** Parameters of a list other than filters. */
const NO_FILTERS = ['limit', 'cursor', 'sort']

/**
 * SQL for the number of rows of a noun, from the first counter whose filters are exactly the filters of the query.
 * Undefined without such a counter: the rows must be counted.
 */
export function totalFromCounters(
  noun: CountedNoun,
  counters: readonly Counter[],
  query: object,
): RawBuilder<number> | undefined {
  const set = filtersOf(query)
  for (const { filters, facet, only } of counters) {
    const values = combined(filters.map((name) => counterValues(set.get(name))))
    const isCounted = filters.length === set.size && filters.every((name) => set.has(name))
    if (isCounted && (only === undefined || values.every((value) => only.includes(value))))
      return upToMax(sumOf(noun, facet, values))
  }
  return undefined
}

/** The filters of a list query that are set. */
export function filtersOf(query: object): Map<string, unknown> {
  return new Map(Object.entries(query).filter(([name, value]) => value !== undefined && !NO_FILTERS.includes(name)))
}

/** SQL for a total from a number: at most `TOTAL_EXACT_MAX + 1`. */
export function upToMax(count: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`least(${count}, ${sql.lit(TOTAL_EXACT_MAX + 1)})::int`
}

/** The sum of all values for the empty value. */
function sumOf(noun: CountedNoun, facet: string, values: readonly string[]) {
  return sql`(
    select coalesce(sum(count), 0) from counters
    where noun = ${sql.lit(noun)} and facet = ${sql.lit(facet)} and ${values.includes('') ? sql`true` : sql`value in (${sql.join(values)})`}
  )`
}

/** The values of a facet of several filters: each value of the first with each value of the others. */
function combined(filters: readonly (readonly string[])[]): string[] {
  return filters.reduce<string[]>(
    (values, more) => values.flatMap((value) => more.map((other) => `${value} ${other}`.trim())),
    [''],
  )
}

function counterValues(filter: unknown): string[] {
  if (typeof filter === 'boolean') return [filter ? 'active' : 'inactive']
  return [...new Set([filter].flat().map(String))]
}
