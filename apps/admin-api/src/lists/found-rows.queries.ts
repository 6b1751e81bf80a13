import { TOTAL_EXACT_MAX } from '@switchboard/contract/lists'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

/** So many rows of a list's order hold a page when one in a hundred matches. */
const WALKED_MAX = 5_000

/** Pages of a table that are looked at before its index is asked: of tenants 1,900 rows, in half a millisecond. */
const SAMPLE_PAGES = 100
/** A table of fewer is not worth it. */
const SAMPLED_FROM = 1_000
/** A sample proves that more match than are counted when it stands for so many times as many … */
const SAMPLE_MARGIN = 4
/** … on so many of its pages. */
const PAGES_THAT_MATCH = 18

/** Which rows of a list's order a page takes. */
export type Place = {
  column: string
  key: string
  descending: boolean
  /** Those behind the cursor; all without one. */
  isBeyond: RawBuilder<boolean>
  limit: number
}

/**
 * The rows of one page of what matches in a table, each with how many match in all. Up to `TOTAL_EXACT_MAX` are
 * sorted. Of more, a walk along the order of the list soon has a page, except where they stand together: those called
 * "Zenith …" are last by name, and PostgreSQL, which expects them everywhere, would read all others first (13 s at a
 * million rows). So it walks a while, and if that is not enough sorts them all. That there are more, a sample tells
 * where they are many: to collect 100,000 matches from the index takes longer than everything else.
 */
export async function foundRows<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, Row>,
  place: Place,
): Promise<(Row & { total: number })[]> {
  const bound = { most: TOTAL_EXACT_MAX, isMany: isMany(table, query) }
  const { total, rows } = await sortedMatches(db, query, place, bound)
  if (total <= TOTAL_EXACT_MAX) return rows
  const behind = query.where(place.isBeyond)
  const walked = await inOrder(behind.where(isNear(table, place)).select(sql.lit(total).as('total')), place).execute()
  if (walked.length === place.limit) return walked
  const sorted = await sortedMatches(db, behind, place)
  return sorted.rows.map((row) => ({ ...row, total }))
}

/** The first rows of a query in the order of a list. */
export function inOrder<Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { column, key, descending, limit }: Omit<Place, 'isBeyond'>,
) {
  const direction = descending ? 'desc' : 'asc'
  return query.orderBy(sql.ref(column), direction).orderBy(sql.ref(key), direction).limit(limit)
}

type Bound = { most: number; isMany: RawBuilder<boolean> }
const BOUNDLESS: Bound = { most: Number.MAX_SAFE_INTEGER - 1, isMany: sql`false` }

/** Collects what matches once, counts it, and sorts it unless it is more than `most`, or is said to be. */
async function sortedMatches<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<Database, Table, Row>,
  { column, key, descending, isBeyond, limit }: Place,
  bound = BOUNDLESS,
) {
  const most = sql.lit(bound.most)
  const matching = query
    .clearSelect()
    .select([sql.ref(column).as(column), sql.ref(key).as(key)])
    .where(sql<boolean>`not (select is_many from sampled)`)
    .limit(bound.most + 1)
  const order = sql`order by ${by(column, descending)}, ${by(key, descending)}`
  const page = query.where(sql<boolean>`${sql.ref(key)} in (
    select ${sql.ref(key)} from matching where (select total from counted) <= ${most} and ${isBeyond}
    ${order} limit ${limit}
  )`)
  const { rows } = await sql<{ total: number; is_row: boolean } & Row>`
    with
      sampled as materialized (select ${bound.isMany} as is_many),
      matching as materialized (${matching}),
      counted as (
        select case when is_many then ${most} + 1 else (select count(*) from matching) end as total from sampled
      )
    select total, page.${sql.ref(key)} is not null as is_row, page.* from counted left join (${page}) as page on true
    ${order}`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ is_row }) => is_row) }
}

/**
 * Whether a sample proves that more rows of a table match than are counted. The sample is the same every time, and empty
 * of a small table. It is wrong about once in a million terms at worst, also where the rows that match stand together on
 * few pages: 10,000 of them are on too few, or too few on each (docs/decisions/0017).
 */
function isMany<Table extends keyof Database>(table: Table, query: SelectQueryBuilder<Database, Table, object>) {
  const ofTable = sql`pg_class.oid = ${sql.lit(table)}::regclass`
  const percent = sql`(
    select case when relpages >= ${sql.lit(SAMPLED_FROM)} then ${sql.lit(SAMPLE_PAGES)} * 100.0 / relpages else 0 end
    from pg_class where ${ofTable}
  )`
  const found = query
    .clearSelect()
    .select([sql<number>`count(*)`.as('rows'), sql<number>`count(distinct (place::text::point)[0])`.as('pages')])
  // Within `found`, the name of the table stands for the sample.
  return sql<boolean>`(
    with
      ${sql.table(table)} as (
        select *, ctid as place from ${sql.table(table)} tablesample system (${percent}) repeatable (0)
      ),
      found as (${found})
    select found.pages >= ${sql.lit(PAGES_THAT_MATCH)}
      and found.rows * relpages / ${sql.lit(SAMPLE_PAGES)} > ${sql.lit(SAMPLE_MARGIN * TOTAL_EXACT_MAX)}
    from found, pg_class where ${ofTable}
  )`
}

/** Whether a row is among the next `WALKED_MAX` of the list, found in the index alone; null where fewer are left. */
function isNear(table: keyof Database, { column, key, descending, isBeyond }: Place) {
  return sql<boolean>`${sql.ref(column)} ${descending ? sql`>=` : sql`<=`} (
    select ${sql.ref(column)} from ${sql.table(table)} where ${isBeyond}
    order by ${by(column, descending)}, ${by(key, descending)} offset ${sql.lit(WALKED_MAX)} limit 1
  )`
}

function by(column: string, descending: boolean) {
  return sql`${sql.ref(column)} ${descending ? sql`desc` : sql`asc`}`
}
