import type { Kysely, Transaction } from 'kysely'
import type { Database } from './tables.ts'

/**
 * SQLSTATE serialization_failure and deadlock_detected. The transaction itself is not at fault, so it can be retried.
 */
const REPEATABLE = new Set(['40001', '40P01'])

/**
 * Runs `work` in the transaction that `db` already is, or in a new one. A new transaction is retried once after a
 * deadlock or a serialization failure, so `work` must only read and write in `trx`.
 */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  if (isTransaction(db)) return await work(db)
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (!isRepeatable(error)) throw error
    return await db.transaction().execute(work)
  }
}

function isRepeatable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && REPEATABLE.has(String(error.code))
}

function isTransaction(db: Kysely<Database>): db is Transaction<Database> {
  return db.isTransaction
}
