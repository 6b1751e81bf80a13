import { NEWEST_FIRST, TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { type Proof, proofOf, provenBy } from './sample.queries.ts'
import { type Found, inOrder, type Place, type Search, sortedMatches } from './sorted-matches.queries.ts'
import { totalUpTo } from './totals.queries.ts'

const NEWEST = { sort: NEWEST_FIRST, column: 'created_at', key: 'id' }

/** Rows of a list's order that a walk looks at. */
const WALKED_MAX = 5_000

/** A walk ends where it should have met so many pages, and is not begun where half of them are too far. */
const WALK_MARGIN = 3

/** Finds what matches in a table, by a term that is looked for among `others`: the rows that the other filters leave. */
export function searchIn<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, Row>,
  others: SelectQueryBuilder<Database, Table, object>,
): Search<Row> {
  return { other: NEWEST, find: async (place) => await foundRows(db, table, query, others, place) }
}

/**
 * Up to `TOTAL_EXACT_MAX` are collected from the index that finds them, and sorted. Where a sample proves that many match,
 * they are neither collected nor counted: a walk along the order of the list soon has a page, except where they stand
 * together. Those called "Zenith …" are last by name, and PostgreSQL, which expects them everywhere, would read all others
 * first (13 s at a million rows). So it walks a while, and if that is not enough, the list is of the newest first
 * (docs/decisions/0018). All are sorted only where these are rare too, or the list has begun in the order asked for.
 */
async function foundRows<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, Row>,
  others: SelectQueryBuilder<Database, Table, object>,
  place: Place,
): Promise<Found<Row>> {
  const proof = await proofOf(db, table, query, others.toOperationNode().where !== undefined)
  if (proof === null) {
    const { rows, total } = await sortedMatches(db, query, place, TOTAL_EXACT_MAX)
    if (total <= TOTAL_EXACT_MAX) return { rows, total: totalUpTo(total), place }
  }

  const total = { count: proof === null ? TOTAL_EXACT_MAX : provenBy(proof), isMore: true }
  const rows =
    place.column === NEWEST.column
      ? await rowsOnWay(db, table, query, others, place, WALKED_MAX)
      : await rowsOnWay(db, table, query, query.clearWhere(), place, walkLength(proof, place.limit))
  if (rows !== null) return { rows, total, place }
  if (proof !== null && place.isFirstPage && place.sort !== NEWEST.sort) {
    const newest = { ...place, ...NEWEST, descending: true }
    const newestRows = await rowsOnWay(db, table, query, others, newest, WALKED_MAX)
    if (newestRows !== null) return { rows: newestRows, total, place: newest }
  }
  return { rows: (await sortedMatches(db, query, place)).rows, total, place }
}

/** How far to walk for a page: not at all where it would be too far. */
function walkLength(proof: Proof | null, limit: number): number {
  const length = proof === null ? WALKED_MAX : Math.ceil((WALK_MARGIN * limit) / proof.share)
  return length > 2 * WALKED_MAX ? 0 : Math.min(length, WALKED_MAX)
}

/** What matches among the first `most` of these rows behind the cursor; null if that is neither a page nor the last one. */
async function rowsOnWay<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, Row>,
  from: SelectQueryBuilder<Database, Table, object>,
  place: Place,
  most: number,
): Promise<Row[] | null> {
  if (most === 0) return null
  const next = inOrder(from.clearSelect().selectAll().where(place.isBeyond), { ...place, limit: most })
  // To the query, the name of the table stands for its next rows.
  const walk = await sql<Row>`with ${sql.table(table)} as ${next} ${inOrder(query, place)}`.execute(db)
  if (walk.rows.length === place.limit) return walk.rows
  if (place.isFirstPage) return null
  // There may be no more: before the first page, going back, or behind the last.
  const behind = next.clearSelect().select(sql.ref(place.key).as('key'))
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${behind} as behind`.execute(db)
  return (rows[0]?.count ?? most) < most ? walk.rows : null
}
