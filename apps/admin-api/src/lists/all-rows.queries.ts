import type { Database } from '@switchboard/database/tables'
import { type Compilable, type Kysely, sql } from 'kysely'

/** Rows fetched at a time. */
const BATCH = 500

/**
 * Reads a whole list in constant memory and one snapshot, batch by batch. Each batch is a statement of its own under
 * the statement timeout, and a reader who stops for ten seconds loses the transaction instead of holding it.
 */
export async function* allRows<Row>(db: Kysely<Database>, query: Compilable<Row>): AsyncGenerator<Row[]> {
  const trx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    await trx.executeQuery(declareCursor(query.compile()))
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(BATCH)} from whole_list`.execute(trx)
      if (rows.length > 0) yield rows
      if (rows.length < BATCH) break
    }
  } finally {
    await trx.rollback().execute()
  }
}

function declareCursor<Query extends { sql: string }>(query: Query): Query {
  return { ...query, sql: `declare whole_list no scroll cursor for ${query.sql}` }
}
