import type { Database } from '@switchboard/database/tables'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'

/** The first `limit` ids of a sorted query, and nothing else of its rows. */
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
