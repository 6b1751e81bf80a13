import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Total } from './totals.queries.ts'

/** Which rows of a list's order a page takes. */
export type Place = {
  sort: string
  column: string
  key: string
  descending: boolean
  /** Those behind the cursor; all without one. */
  isBeyond: RawBuilder<boolean>
  isFirstPage: boolean
  limit: number
}

/** The rows of a page, and the place they have taken: the one asked for, or the same page in another order. */
export type Found<Row> = { rows: Row[]; total: Total; place: Place }

/** Finds the rows of a page, in the order asked for or, where too many match, in an `other`. */
export type Search<Row> = {
  find: (place: Place) => Promise<Found<Row>>
  other?: Pick<Place, 'sort' | 'column' | 'key'>
}

/** The first rows of a query in the order of a list. */
export function inOrder<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { column, key, descending, limit }: Pick<Place, 'column' | 'key' | 'descending' | 'limit'>,
) {
  const direction = descending ? 'desc' : 'asc'
  return query.orderBy(sql.ref(column), direction).orderBy(sql.ref(key), direction).limit(limit)
}

/** The rows of a page, by collecting and sorting all that match; with `most`, none where that is more. */
export async function sortedMatches<DB, Table extends keyof DB, Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
  { column, key, descending, isBeyond, limit }: Place,
  most = Number.MAX_SAFE_INTEGER - 1,
): Promise<{ total: number; rows: Row[] }> {
  const matching = query
    .clearSelect()
    .select([sql.ref(column).as(column), sql.ref(key).as(key)])
    .limit(most + 1)
  const direction = descending ? sql`desc` : sql`asc`
  const order = sql`order by ${sql.ref(column)} ${direction}, ${sql.ref(key)} ${direction}`
  const page = query.where(sql<boolean>`${sql.ref(key)} in (
    select ${sql.ref(key)} from matching where (select total from counted) <= ${sql.lit(most)} and ${isBeyond}
    ${order} limit ${limit}
  )`)
  const { rows } = await sql<{ total: number; is_row: boolean } & Row>`
    with
      matching as materialized (${matching}),
      counted as (select count(*) as total from matching)
    select total, page.${sql.ref(key)} is not null as is_row, page.*
    from counted left join (${page}) as page on true
    ${order}`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ is_row }) => is_row) }
}
