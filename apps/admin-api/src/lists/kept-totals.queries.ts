import { TOTAL_EXACT_MAX } from '@switchboard/contract/lists'
import type { CountedNoun } from '@switchboard/database/tables'
import { type RawBuilder, sql } from 'kysely'

// How many rows a whole list has is kept, not counted: reading 10,001 entries of an index for every page would take longer
// than the page. As the count of a page, one more than `TOTAL_EXACT_MAX` stands for "more".

/** What chooses a page and narrows nothing. */
const OF_THE_PAGE = ['limit', 'cursor', 'sort']

/** By the counters of admins and tenants. Undefined for a list that is narrowed. */
export function totalOf(noun: CountedNoun, query: object): RawBuilder<number> | undefined {
  return keptTotal(query, sql`(select coalesce(sum(count), 0) from counts_of(${sql.lit(noun)}) where facet = 'status')`)
}

/** By the end of the chain, which numbers its rows without a gap. Undefined for a log that is narrowed. */
export function totalOfAudit(query: object): RawBuilder<number> | undefined {
  return keptTotal(query, sql`(select seq from audit_head)`)
}

function keptTotal(query: object, kept: RawBuilder<unknown>): RawBuilder<number> | undefined {
  const isNarrowed = Object.entries(query).some(([name, value]) => value !== undefined && !OF_THE_PAGE.includes(name))
  return isNarrowed ? undefined : sql<number>`least(${kept}, ${sql.lit(TOTAL_EXACT_MAX + 1)})::int`
}
