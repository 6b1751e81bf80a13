import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#src/tables.ts'
import { type DeletedMonth, deletedMonthOf } from './deleted-months.ts'

/** The advisory lock of the only worker that deletes months. */
const LOCK = sql.raw('3853314791062309108')

/** Rows per statement, within the time limit of a statement. */
const DELETED_MAX = 10_000

/** All deleted months, the oldest first. */
export async function deletedMonths(db: Kysely<Database>): Promise<DeletedMonth[]> {
  return (await db.selectFrom('audit_deleted_months').selectAll().orderBy('first_seq').execute()).map(deletedMonthOf)
}

/** Takes the lock until the end of the transaction. False when another worker has the lock. */
export async function lockDeletedMonths(trx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql<{ is_free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as is_free`.execute(trx)
  return rows[0]?.is_free === true
}

/** The month of row `seq`, such as `2026-01`, if all times of the month are older than `months` months. */
export async function closedMonthOf(
  db: Kysely<Database>,
  { seq, months }: { seq: number; months: number },
): Promise<string | null> {
  const { rows } = await sql<{ month: string }>`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month from audit_log
    where seq = ${seq}
      and date_trunc('month', at at time zone 'UTC') + make_interval(months => ${months}::int + 1) <= now() at time zone 'UTC'`.execute(
    db,
  )
  return rows[0]?.month ?? null
}

/** Records a month and deletes its rows from the log. */
export async function deleteMonth(trx: Transaction<Database>, deleted: DeletedMonth): Promise<void> {
  const { month, first_seq, last_seq, hash_before, hash_after } = deleted
  await trx
    .insertInto('audit_deleted_months')
    .values({
      month,
      first_seq,
      last_seq,
      hash_before: Buffer.from(hash_before, 'hex'),
      hash_after: Buffer.from(hash_after, 'hex'),
    })
    .execute()
  for (let seq = first_seq; seq <= last_seq; seq += DELETED_MAX)
    await sql`delete from audit_log
      where seq >= ${seq} and seq < ${seq + DELETED_MAX} and seq <= ${last_seq}`.execute(trx)
}
