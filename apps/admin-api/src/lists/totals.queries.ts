import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

/** How many rows match: `count`, or more. */
export type Total = { count: number; isMore: boolean }

/** Counts what matches to one more than `most`. */
export function countOf<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  most = TOTAL_EXACT_MAX,
): RawBuilder<number> {
  const matching = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(most + 1)
  return sql<number>`(select count(*) from ${matching} as counted)`
}

/** The total of what was counted to one more than `most`. */
export function totalUpTo(count: number, most = TOTAL_EXACT_MAX): Total {
  return { count: Math.min(count, most), isMore: count > most }
}
