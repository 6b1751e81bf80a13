import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'

/** Number of all log sinks. */
export async function countSinks(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('log_sinks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertSink(trx: Transaction<Database>, sink: Insertable<Database['log_sinks']>): Promise<void> {
  await trx.insertInto('log_sinks').values(sink).execute()
}

/** Locks the row of a sink until the end of the transaction. */
export async function lockSink(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.selectFrom('log_sinks').select('id').where('id', '=', id).forUpdate().execute()
}

/** Changes fields of a sink. Its next attempt is made at once. */
export async function changeSink(
  trx: Transaction<Database>,
  id: string,
  fields: Updateable<Database['log_sinks']>,
): Promise<void> {
  await trx
    .updateTable('log_sinks')
    .set({ ...fields, next_attempt_at: null, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Asks a worker for a test record. */
export async function requestTest(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`update log_sinks set test_requested_at = clock_timestamp() where id = ${id}`.execute(trx)
}

export async function removeSink(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('log_sinks').where('id', '=', id).execute()
}
