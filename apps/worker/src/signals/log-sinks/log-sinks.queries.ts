import type { Database } from '@switchboard/database/tables'
import type { LogSinkKind } from '@switchboard/contract/signals/log-sinks'
import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'
import { type Kysely, sql, type Transaction } from 'kysely'

/** How long a transaction may wait for a server or a disk. */
const IDLE = sql.raw(`'1h'`)
/** A day of the log is over this long after midnight in UTC: entries of its last second are sealed by then. */
const MIDNIGHT = sql`date_trunc('day', now() at time zone 'UTC' - interval '1 minute') at time zone 'UTC'`

/** What is due for a sink: an entry, the daily end of the chain, or a test record. */
const IS_ENTRY_DUE = sql<boolean>`exists (
  select from audit_log where seq = log_sinks.position + 1 and (kind <> 'file' or at < ${MIDNIGHT})
)`
const IS_END_DUE = sql<boolean>`kind <> 'file' and coalesce(end_sent_at < now() - interval '1 day', true)`
const IS_SENDING_DUE = sql<boolean>`is_on and coalesce(next_attempt_at <= now(), true) and (${IS_ENTRY_DUE} or ${IS_END_DUE})`
const IS_TEST_DUE = sql<boolean>`coalesce(test_requested_at > coalesce(tested_at, '-infinity'), false)`

/** The ids of the sinks of these kinds for which something is due. */
export async function dueSinks(db: Kysely<Database>, kinds: readonly LogSinkKind[]): Promise<string[]> {
  const rows = await db
    .selectFrom('log_sinks')
    .select('id')
    .where('kind', 'in', kinds)
    .where(sql<boolean>`(${IS_SENDING_DUE} or ${IS_TEST_DUE})`)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * A sink with what is due for it. Until the end of the transaction, which may wait long, no other worker gets this sink: then,
 * and for a deleted sink, undefined. The row is not locked, so that people can change it in the meantime.
 */
export async function takeSink(trx: Transaction<Database>, id: string) {
  await sql`set local idle_in_transaction_session_timeout = ${IDLE}`.execute(trx)
  const { rows } = await sql<{ is_free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('log sink ' || ${id}, 0)) as is_free`.execute(trx)
  if (rows[0]?.is_free !== true) return undefined
  return await trx
    .selectFrom('log_sinks')
    .selectAll()
    .select([
      IS_SENDING_DUE.as('is_sending_due'),
      IS_END_DUE.as('is_end_due'),
      IS_TEST_DUE.as('is_test_due'),
      sql<string>`now()`.as('now'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Moves the position of a sink after a success. */
export async function moveSink(
  trx: Transaction<Database>,
  id: string,
  { end: { seq, hash }, isEndSent }: { end: AuditAnchor; isEndSent: boolean },
): Promise<void> {
  await sql`
    update log_sinks set position = ${seq}, position_hash = ${Buffer.from(hash, 'hex')}, last_sent_at = clock_timestamp(),
      attempts = 0, failing_since = null, problem = null, next_attempt_at = null,
      end_sent_at = ${isEndSent ? sql`now()` : sql`end_sent_at`}
    where id = ${id}`.execute(trx)
}

/** Records a failed attempt. The next one is made after `delayMs`. */
export async function delaySink(
  trx: Transaction<Database>,
  id: string,
  { problem, delayMs }: { problem: string; delayMs: number },
): Promise<void> {
  await sql`
    update log_sinks set attempts = attempts + 1, failing_since = coalesce(failing_since, clock_timestamp()),
      problem = ${problem}, next_attempt_at = clock_timestamp() + make_interval(secs => ${delayMs / 1_000})
    where id = ${id}`.execute(trx)
}

/** Records the result of a test that was asked for at `requestedAt`. A later request stays due. */
export async function recordTest(
  trx: Transaction<Database>,
  id: string,
  { requestedAt, problem }: { requestedAt: string; problem: string | null },
): Promise<void> {
  await sql`
    update log_sinks set tested_at = greatest(clock_timestamp(), ${requestedAt}::timestamptz), test_problem = ${problem}
    where id = ${id} and test_requested_at = ${requestedAt}::timestamptz`.execute(trx)
}
