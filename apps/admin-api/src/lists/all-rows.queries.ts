import type { Database } from '@switchboard/database/tables'
import { type Compilable, type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely'

/** Rows of a batch. */
const BATCH = 500

/**
 * Reads a whole list in constant memory from a single snapshot. Each batch is a separate statement, so the statement
 * timeout applies to a batch. PostgreSQL aborts the transaction of a client that stops reading for ten seconds. Calls
 * `onCount` with the number of rows before the first batch; an error of `onCount` ends the read.
 */
export async function* allRows<DB, Table extends keyof DB, Row>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
  onCount?: (total: number) => Promise<void>,
): AsyncGenerator<Row[]> {
  const trx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    if (onCount !== undefined) await onCount(await countOf(trx, query))
    yield* batchesOf(trx, query)
  } finally {
    await trx.rollback().execute()
  }
}

async function countOf<DB, Table extends keyof DB, Row>(
  trx: Transaction<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
): Promise<number> {
  const counted = query
    .clearSelect()
    .clearOrderBy()
    .select(sql`1`.as('one'))
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${counted}) as counted`.execute(trx)
  return rows[0]?.total ?? 0
}

async function* batchesOf<Row>(trx: Transaction<Database>, query: Compilable<Row>): AsyncGenerator<Row[]> {
  await trx.executeQuery(declareCursor(query.compile()))
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(BATCH)} from whole_list`.execute(trx)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
  }
}

function declareCursor<Query extends { sql: string }>(query: Query): Query {
  return { ...query, sql: `declare whole_list no scroll cursor for ${query.sql}` }
}
