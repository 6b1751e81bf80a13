import type { Database } from '@switchboard/database/tables'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'

/** The rows that match the filters of a list. */
export type RowsQuery<Filters, DB, Table extends keyof DB, Row> = (
  db: Kysely<Database>,
  filters: Filters,
) => SelectQueryBuilder<DB, Table, Row>

/** Sorts rows by the `sort` of the filters ("-created_at"), or by the default sort of the list, and by the primary key. */
export function inOrderOf<Filters, DB, Table extends keyof DB, Row>(
  { defaultSort }: { defaultSort: string },
  matching: RowsQuery<Filters, DB, Table, Row>,
  key = 'id',
): RowsQuery<Filters & { sort?: string | undefined }, DB, Table, Row> {
  return (db, filters) => {
    const sort = filters.sort ?? defaultSort
    const direction = sort.startsWith('-') ? 'desc' : 'asc'
    return matching(db, filters)
      .orderBy(sql.ref(sort.replace(/^-/, '')), direction)
      .orderBy(sql.ref(key), direction)
  }
}

/** The first `limit` ids of a sorted query. */
export async function idsOf<DB, Table extends keyof DB, Row>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
  limit: number,
): Promise<string[]> {
  const ids = query
    .clearSelect()
    .select(sql`id`.as('id'))
    .limit(limit)
  const { rows } = await sql<{ id: string }>`${ids}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether a query has the row with this id. */
export async function hasRow<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  id: string,
): Promise<boolean> {
  return (await query.where(sql<boolean>`id = ${id}`).executeTakeFirst()) !== undefined
}
