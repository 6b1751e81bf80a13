import { TOTAL_EXACT_MAX } from '@switchboard/contract/lists'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

/** Rows of a list's order that a walk looks at: they hold a page when one in a hundred matches. */
const WALKED_MAX = 5_000

/** How many pages a walk should find by the sample, so that it is tried before what matches is collected. */
const WALK_MARGIN = 2

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
 * collected from the index and sorted. Of more, a walk along the order of the list soon has a page, except where they
 * stand together: those called "Zenith …" are last by name, and PostgreSQL, which expects them everywhere, would read all
 * others first (13 s at a million rows). So it walks a while, and if that is not enough sorts them all. A sample tells
 * beforehand where that is so: then they need not be collected, at most counted.
 */
export async function foundRows<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, Row>,
  place: Place,
): Promise<(Row & { total: number })[]> {
  const { total, rows, share } = await sortedMatches(db, query, place, {
    most: TOTAL_EXACT_MAX,
    share: shareOf(table, query, place),
  })
  if (share === 'few' && total <= TOTAL_EXACT_MAX) return rows
  const counted = share === 'some' ? countOf(query) : sql<number>`${sql.lit(TOTAL_EXACT_MAX + 1)}`
  const near = query.where(place.isBeyond).where(isNear(table, place))
  const walked = await inOrder(near.select(counted.as('total')), place).execute()
  if (walked.length === place.limit) return walked
  const sorted = await sortedMatches(db, query, place)
  return sorted.rows.map((row) => ({ ...row, total: Math.min(sorted.total, TOTAL_EXACT_MAX + 1) }))
}

/** How many rows match, counted to one more than `TOTAL_EXACT_MAX`. */
export function countOf(query: SelectQueryBuilder<Database, keyof Database, object>): RawBuilder<number> {
  const matching = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(TOTAL_EXACT_MAX + 1)
  return sql<number>`(select count(*) from ${matching} as counted)`
}

/** The first rows of a query in the order of a list. */
export function inOrder<Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { column, key, descending, limit }: Omit<Place, 'isBeyond'>,
) {
  const direction = descending ? 'desc' : 'asc'
  return query.orderBy(sql.ref(column), direction).orderBy(sql.ref(key), direction).limit(limit)
}

/** Of a table, as far as a sample can tell: `some` are enough that a walk soon has a page, `many` more than are counted. */
type Share = 'few' | 'some' | 'many'
type Bound = { most: number; share: RawBuilder<Share> }
const BOUNDLESS: Bound = { most: Number.MAX_SAFE_INTEGER - 1, share: sql`'few'` }

/** Collects what matches once, counts it, and sorts it; nothing of this unless they are few, and no page of more than `most`. */
async function sortedMatches<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<Database, Table, Row>,
  { column, key, descending, isBeyond, limit }: Place,
  bound = BOUNDLESS,
) {
  const matching = query
    .clearSelect()
    .select([sql.ref(column).as(column), sql.ref(key).as(key)])
    .where(sql<boolean>`(select share from sampled) = 'few'`)
    .limit(bound.most + 1)
  const order = sql`order by ${by(column, descending)}, ${by(key, descending)}`
  const page = query.where(sql<boolean>`${sql.ref(key)} in (
    select ${sql.ref(key)} from matching where (select total from counted) <= ${sql.lit(bound.most)} and ${isBeyond}
    ${order} limit ${limit}
  )`)
  const { rows } = await sql<{ share: Share; total: number; is_row: boolean } & Row>`
    with
      sampled as materialized (select ${bound.share} as share),
      matching as materialized (${matching}),
      counted as (select count(*) as total from matching)
    select share, total, page.${sql.ref(key)} is not null as is_row, page.*
    from sampled cross join counted left join (${page}) as page on true
    ${order}`.execute(db)
  return { share: rows[0]?.share, total: rows[0]?.total ?? 0, rows: rows.filter(({ is_row }) => is_row) }
}

/**
 * What share of a table matches, by a sample that is the same every time, and empty of a small table. `many` is wrong
 * about once in a million terms at worst, also where the rows that match stand together on few pages: 10,000 of them are
 * on too few, or too few on each (docs/decisions/0017).
 */
function shareOf<Table extends keyof Database>(
  table: Table,
  query: SelectQueryBuilder<Database, Table, object>,
  { limit }: Place,
) {
  const ofTable = sql`pg_class.oid = ${sql.lit(table)}::regclass`
  const percent = sql`(
    select case when relpages >= ${sql.lit(SAMPLED_FROM)} then ${sql.lit(SAMPLE_PAGES)} * 100.0 / relpages else 0 end
    from pg_class where ${ofTable}
  )`
  const found = query
    .clearSelect()
    .select([sql<number>`count(*)`.as('rows'), sql<number>`count(distinct (place::text::point)[0])`.as('pages')])
  // Within `found`, the name of the table stands for the sample.
  return sql<Share>`(
    with
      ${sql.table(table)} as (
        select *, ctid as place from ${sql.table(table)} tablesample system (${percent}) repeatable (0)
      ),
      found as (${found}),
      expected as (
        select pages, reltuples, rows * relpages / ${sql.lit(SAMPLE_PAGES)} as rows from found, pg_class where ${ofTable}
      )
    select case
      when pages >= ${sql.lit(PAGES_THAT_MATCH)} and rows > ${sql.lit(SAMPLE_MARGIN * TOTAL_EXACT_MAX)} then 'many'
      when rows * ${sql.lit(WALKED_MAX)} > ${sql.lit(WALK_MARGIN * limit)} * reltuples then 'some'
      else 'few'
    end
    from expected
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
