import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Longest wait for a row that another process or a change of a key has locked. The caller tries again. */
const LOCK_TIMEOUT = '200ms'

/** Number of checks of a key with one outcome, and the age of the latest check in milliseconds. */
export type KeyCalls = { id: string; outcome: KeyOutcome; count: number; ageMs: number }

/** Number of refused calls of a key from an origin, and the age of the latest one in milliseconds. */
export type KeyOrigin = { id: string; origin: string | null; count: number; ageMs: number }

/** Part of the counts of one process, and the id of the transaction that last tried to write it. */
export type UsageBatch = { calls: readonly KeyCalls[]; origins: readonly KeyOrigin[]; transaction?: string | undefined }

/**
 * Adds counts to the hours and the refused origins of their keys, and updates last uses that are more than an hour behind.
 * Drops the counts of deleted keys. A batch that is sent again after a lost answer counts once: PostgreSQL knows whether its
 * transaction has been committed.
 */
export async function addUsage(db: Kysely<Database>, batch: UsageBatch): Promise<void> {
  if (await isCommitted(db, batch.transaction)) return
  const { calls, origins } = batch
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ transaction: string }>`
      select pg_current_xact_id()::text as transaction, set_config('lock_timeout', ${LOCK_TIMEOUT}, true),
        set_config('switchboard.is_uncounted', 'on', true)`.execute(trx)
    batch.transaction = rows[0]?.transaction
    // Every statement locks rows in the order of the keys, which prevents deadlocks.
    await sql`
      with called as materialized (
        select api_keys.id, environment, outcome, count, now() - "ageMs" * interval '1 millisecond' as last_at
        from json_to_recordset(${jsonOf(calls)}::json) as sums (id uuid, outcome text, count bigint, "ageMs" float8)
        join api_keys on api_keys.id = sums.id
      ), used as (
        select api_keys.id, last_at from called join api_keys on api_keys.id = called.id
        where outcome = 'valid'
          -- A clock that ran ahead may have left a time in the future.
          and (last_used_at is null or last_used_at not between last_at - interval '1 hour' and now())
        order by api_keys.id for no key update of api_keys
      ), with_last_use as (
        update api_keys set last_used_at = last_at from used where api_keys.id = used.id
      ), with_origins as (
        insert into api_key_refused_origins as stored (api_key_id, origin, count, last_at)
        select api_keys.id, origin, count, now() - "ageMs" * interval '1 millisecond'
        from json_to_recordset(${jsonOf(origins)}::json) as sums (id uuid, origin text, count bigint, "ageMs" float8)
        join api_keys on api_keys.id = sums.id
        order by api_keys.id, origin
        on conflict on constraint api_key_refused_origins_unique do update
        set count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)
      )
      insert into api_key_calls as stored (api_key_id, environment, since, outcome, count, last_at)
      select id, environment, date_trunc('hour', last_at, 'UTC') as since, outcome, count, last_at
      from called order by id, since, outcome
      on conflict (api_key_id, since, outcome) do update
      set count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)`.execute(trx)
  })
}

/** Throws while the transaction has not ended. */
async function isCommitted(db: Kysely<Database>, transaction: string | undefined): Promise<boolean> {
  if (transaction === undefined) return false
  const { rows } = await sql<{ status: string | null }>`select pg_xact_status(${transaction}::xid8) as status`.execute(
    db,
  )
  if (rows[0]?.status === 'in progress') throw new Error('The last write of these counts has not ended.')
  return rows[0]?.status === 'committed'
}

/** Leaves out the other fields that callers keep in their rows. */
function jsonOf(rows: readonly object[]): string {
  return JSON.stringify(rows, ['id', 'outcome', 'origin', 'count', 'ageMs'])
}
