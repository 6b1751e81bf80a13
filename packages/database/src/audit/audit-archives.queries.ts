import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#src/tables.ts'
import { type AuditArchive, archiveOf } from './audit-archives.ts'

/** The advisory lock of the only worker that archives. */
const LOCK = sql.raw('3853314791062309108')

/** Rows per statement, within the time limit of a statement. */
const DELETED_MAX = 10_000

/** All archives, the oldest month first. */
export async function auditArchives(db: Kysely<Database>): Promise<AuditArchive[]> {
  return (await db.selectFrom('audit_archives').selectAll().orderBy('first_seq').execute()).map(archiveOf)
}

/**
 * Takes the lock until the end of the transaction, which may wait for files for an hour. False when another worker has the lock.
 */
export async function lockArchives(trx: Transaction<Database>): Promise<boolean> {
  await sql`set local idle_in_transaction_session_timeout = '1h'`.execute(trx)
  const { rows } = await sql<{ is_free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as is_free`.execute(trx)
  return rows[0]?.is_free === true
}

/** The month of row `seq`, such as `2026-01`, if all times of the month are older than `months` months. */
export async function closedMonthOf(
  db: Kysely<Database>,
  { seq, months }: { seq: number; months: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ month: string }>`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month from audit_log
    where seq = ${seq}
      and date_trunc('month', at at time zone 'UTC') + make_interval(months => ${months}::int + 1) <= now() at time zone 'UTC'`.execute(
    db,
  )
  return rows[0]?.month
}

/** Records an archive and deletes its rows from the log. */
export async function replaceByArchive(trx: Transaction<Database>, archive: AuditArchive): Promise<void> {
  const { month, first_seq, last_seq, hash_before, hash_after, file_sha256 } = archive
  await trx
    .insertInto('audit_archives')
    .values({
      month,
      first_seq,
      last_seq,
      hash_before: Buffer.from(hash_before, 'hex'),
      hash_after: Buffer.from(hash_after, 'hex'),
      file_sha256: Buffer.from(file_sha256, 'hex'),
    })
    .execute()
  for (let seq = first_seq; seq <= last_seq; seq += DELETED_MAX)
    await sql`delete from audit_log
      where seq >= ${seq} and seq < ${seq + DELETED_MAX} and seq <= ${last_seq}`.execute(trx)
}
