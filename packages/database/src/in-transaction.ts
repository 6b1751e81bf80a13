import type { Kysely, Transaction } from 'kysely'
import type { Database } from './tables.ts'

/** Runs `work` in the transaction that `db` already is, or in a new one. */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return isTransaction(db) ? await work(db) : await db.transaction().execute(work)
}

function isTransaction(db: Kysely<Database>): db is Transaction<Database> {
  return db.isTransaction
}
