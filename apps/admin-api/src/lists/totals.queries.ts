import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

/** Number of matching rows: `count`, or more. */
export type Total = { count: number; isMore: boolean }

/** Counts the rows of a query up to `TOTAL_EXACT_MAX + 1`. */
export function countOf<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
): RawBuilder<number> {
  const matching = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(TOTAL_EXACT_MAX + 1)
  return sql<number>`(select count(*) from ${matching} as counted)`
}

export function totalUpToMax(count: number): Total {
  return { count: Math.min(count, TOTAL_EXACT_MAX), isMore: count > TOTAL_EXACT_MAX }
}
