import { TOTAL_EXACT_MAX } from '@switchboard/contract/lists'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

/** Rows of a list's order that a walk looks at: they hold a page when one in a hundred matches. */
const WALKED_MAX = 5_000

/** The same of a walk in the index alone, which takes a fifth of the time for each. */
const WALKED_IN_INDEX_MAX = 30_000

/** How many pages a walk should find by the sample, so that it is tried before what matches is collected. */
const WALK_MARGIN = 2

/** Pages of a table that are looked at before its index is asked: of tenants 1,900 rows, in half a millisecond. */
const SAMPLE_PAGES = 100
/** If nothing matches on so many, as is so of most terms, that was enough of a sample. */
const GLANCE_PAGES = 20
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
 *
 * `listed`, where another table says what matches, selects just those keys, each once, as `key`. They are counted and met
 * on a walk in one statement.
 */
export async function foundRows<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, Row>,
  place: Place,
  listed?: RawBuilder<unknown>,
): Promise<(Row & { total: number })[]> {
  if (listed === undefined) {
    const share = shareOf(table, query, place)
    const first = await sortedMatches(db, query, place, { most: TOTAL_EXACT_MAX, share })
    if (first.share === 'few' && first.total <= TOTAL_EXACT_MAX) return first.rows
    const total = first.share === 'some' ? countOf(query) : sql<number>`${sql.lit(first.total)}`
    const walked = await inOrder(onWay(table, query, place).select(total.as('total')), place).execute()
    if (walked.length === place.limit) return walked
  } else {
    const walked = await listedOnWay(db, table, query, place, listed)
    if (walked.isEnough) return walked.rows
  }
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

/** Of a table: `some` are enough that a walk soon has a page, `many` are more than are counted. */
type Share = 'few' | 'some' | 'many'
type Bound = { most: number; share: RawBuilder<Share> }
const BOUNDLESS: Bound = { most: Number.MAX_SAFE_INTEGER - 1, share: sql`'few'` }

/**
 * Collects what matches once, counts it, and sorts it; of nothing but few, and no page of more than `most`. The total is
 * 0 where it is not known yet: of `some`.
 */
async function sortedMatches<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<Database, Table, Row>,
  { column, key, descending, isBeyond, limit }: Place,
  { most, share }: Bound = BOUNDLESS,
) {
  const matching = query
    .clearSelect()
    .select([sql.ref(column).as(column), sql.ref(key).as(key)])
    .where(sql<boolean>`(select share from shared) = 'few'`)
    .limit(most + 1)
  const order = sql`order by ${by(column, descending)}, ${by(key, descending)}`
  const page = query.where(sql<boolean>`${sql.ref(key)} in (
    select ${sql.ref(key)} from matching where (select total from counted) <= ${sql.lit(most)} and ${isBeyond}
    ${order} limit ${limit}
  )`)
  const { rows } = await sql<{ share: Share; total: number; is_row: boolean } & Row>`
    with
      shared as materialized (select ${share} as share),
      matching as materialized (${matching}),
      counted as (
        select case share when 'many' then ${sql.lit(TOTAL_EXACT_MAX + 1)} else (select count(*) from matching) end as total
        from shared
      )
    select share, total, page.${sql.ref(key)} is not null as is_row, page.*
    from shared cross join counted left join (${page}) as page on true
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
  // Within what it begins, the name of the table stands for the sample.
  const withSample = (pages: number) => sql`
    with ${sql.table(table)} as (
      select *, ctid as place from ${sql.table(table)} tablesample system ((
        select case when relpages >= ${sql.lit(SAMPLED_FROM)} then ${sql.lit(pages)} * 100.0 / relpages else 0 end
        from pg_class where ${ofTable}
      )) repeatable (0)
    )`
  const any = query.clearSelect().select(sql`1`.as('one'))
  const found = query
    .clearSelect()
    .select([sql<number>`count(*)`.as('rows'), sql<number>`count(distinct (place::text::point)[0])`.as('pages')])
  return sql<Share>`case when exists (${withSample(GLANCE_PAGES)} ${any}) then (
    ${withSample(SAMPLE_PAGES)},
      found as (${found}),
      expected as (
        select pages, reltuples, rows * relpages / ${sql.lit(SAMPLE_PAGES)} as rows from found, pg_class where ${ofTable}
      )
    select case
      when pages >= ${sql.lit(PAGES_THAT_MATCH)} and rows > ${sql.lit(SAMPLE_MARGIN * TOTAL_EXACT_MAX)} then 'many'
      when ${isEnough(sql`rows`, WALKED_MAX, limit)} then 'some'
      else 'few'
    end
    from expected
  ) else 'few' end`
}

/** Whether a walk should find pages, when so many rows of a table match anywhere. */
function isEnough(rows: RawBuilder<unknown>, walked: number, limit: number) {
  return sql`${rows} * least(${sql.lit(walked)}, reltuples) > ${sql.lit(WALK_MARGIN * limit)} * reltuples`
}

/** What matches among the next rows of the list, as many as a page takes. */
function onWay<Table extends keyof Database, Row>(
  table: Table,
  query: SelectQueryBuilder<Database, Table, Row>,
  place: Place,
) {
  const keys = query.clearSelect().select(sql.ref(place.key).as('key'))
  // Within `keys`, the name of the table stands for its next rows.
  return query.clearWhere().where(sql<boolean>`${sql.ref(place.key)} in (
    with ${sql.table(table)} as (${nextRows(table, place, WALKED_MAX)})
    ${inOrder(keys, place)}
  )`)
}

/**
 * What is listed among the next rows of the list, where that should give a page, and how many are listed in all. Enough is
 * a page, or all there are.
 */
async function listedOnWay<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, Row>,
  place: Place,
  listed: RawBuilder<unknown>,
) {
  const { column, key, descending, limit } = place
  const order = sql`order by ${by(column, descending)}, ${by(key, descending)}`
  const page = query.clearWhere().where(sql<boolean>`${sql.ref(key)} in (select key from met)`)
  const { rows } = await sql<{ total: number; is_row: boolean } & Row>`
    with
      listed as materialized (${listed}),
      counted as materialized (select least(count(*), ${sql.lit(TOTAL_EXACT_MAX + 1)})::int as total from listed),
      met as materialized (
        select ${sql.ref(key)} as key from (${nextRows(table, place, WALKED_IN_INDEX_MAX)}) as next
        where (
          select ${isEnough(sql`total`, WALKED_IN_INDEX_MAX, limit)} or reltuples <= ${sql.lit(WALKED_IN_INDEX_MAX)}
          from counted, pg_class where pg_class.oid = ${sql.lit(table)}::regclass
        )
        -- One after the other: as a join it would begin with all that are listed.
        and coalesce(${sql.ref(key)} in (select key from listed), false)
        ${order} limit ${limit}
      )
    select total, page.${sql.ref(key)} is not null as is_row, page.*
    from counted left join (${page}) as page on true
    ${order}`.execute(db)
  const found = rows.filter(({ is_row }) => is_row)
  return { rows: found, isEnough: found.length === limit || found.length === rows[0]?.total }
}

/** The next rows of the list. */
function nextRows(table: keyof Database, { column, key, descending, isBeyond }: Place, most: number) {
  return sql`
    select * from ${sql.table(table)} where ${isBeyond} order by ${by(column, descending)}, ${by(key, descending)}
    limit ${sql.lit(most)}`
}

function by(column: string, descending: boolean) {
  return sql`${sql.ref(column)} ${descending ? sql`desc` : sql`asc`}`
}
