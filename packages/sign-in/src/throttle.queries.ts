import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'

/**
 * `account` is a hash, and `address` a network, with the id of the tenant before it for a user of a tenant: see
 * `attemptAt`.
 */
export type Attempt = { account: Buffer; address: string }

/** Maximum number of attempts, and of refusal windows, removed per call. */
const ATTEMPTS_BATCH = 1_000
const WINDOWS_BATCH = 50

/** Serializes attempts from a network, then attempts at an account, across processes until the transaction ends. */
export async function lockAttempts(trx: Transaction<Database>, { account, address }: Attempt): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sign-in from ' || ${address}, 0))`.execute(trx)
  await sql`select pg_advisory_xact_lock(hashtextextended('sign-in at ' || encode(${account}, 'hex'), 0))`.execute(trx)
}

/**
 * Failures since `window` per account and network, failures since `window` per network, failures since `day` per
 * account.
 */
export async function attemptsSince(
  db: Kysely<Database>,
  { account, address, is_known }: Attempt & { is_known: boolean },
  { window, day }: { window: Date; day: Date },
) {
  const failures = db.selectFrom('sign_in_attempts')
  const ofAddress = await failures
    .where('address', '=', address)
    .where('at', '>', window.toISOString())
    .where('is_forgiven', '=', false)
    .select(({ fn }) => [
      fn.countAll<number>().as('attempts'),
      fn.min<string | null>('at').as('oldest_at'),
      fn.countAll<number>().filterWhere('account', '=', account).as('pair_attempts'),
      fn.min<string | null>('at').filterWhere('account', '=', account).as('pair_oldest_at'),
    ])
    .executeTakeFirstOrThrow()
  const ofAccount = await failures
    .where('account', '=', account)
    .where('at', '>', day.toISOString())
    .$if(is_known, (query) => query.where('is_known', '=', true))
    .select(({ fn }) => [fn.countAll<number>().as('attempts'), fn.min<string | null>('at').as('oldest_at')])
    .executeTakeFirstOrThrow()
  return {
    pair: { attempts: ofAddress.pair_attempts, oldest_at: ofAddress.pair_oldest_at },
    address: ofAddress,
    account: ofAccount,
  }
}

/** Attempts at an account since `moment`, from all networks. */
export async function attemptsAtAccount(db: Kysely<Database>, account: Buffer, moment: Date) {
  return await db
    .selectFrom('sign_in_attempts')
    .select(({ fn }) => [fn.countAll<number>().as('attempts'), fn.min<string | null>('at').as('oldest_at')])
    .where('account', '=', account)
    .where('at', '>', moment.toISOString())
    .executeTakeFirstOrThrow()
}

/** Returns the id of the attempt. */
export async function insertAttempt(
  db: Kysely<Database>,
  attempt: Insertable<Database['sign_in_attempts']>,
): Promise<number> {
  const { id } = await db.insertInto('sign_in_attempts').values(attempt).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Records a success: deletes the attempt. Earlier failures of the account and network now count for the day only. */
export async function forgiveAttempts(
  db: Kysely<Database>,
  { id, account, address }: Attempt & { id: number },
): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('id', '=', id).execute()
  await db
    .updateTable('sign_in_attempts')
    .set({ is_forgiven: true })
    .where('account', '=', account)
    .where('address', '=', address)
    .where('is_forgiven', '=', false)
    .execute()
}

export async function deleteAttemptsOfAccount(db: Kysely<Database>, account: Buffer): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('account', '=', account).execute()
}

/** Deletes a batch of attempts older than `moment`. Skips rows locked by another process. */
export async function deleteAttemptsBefore(db: Kysely<Database>, moment: Date): Promise<void> {
  const old = db
    .selectFrom('sign_in_attempts')
    .select('id')
    .where('at', '<', moment.toISOString())
    .limit(ATTEMPTS_BATCH)
    .forUpdate()
    .skipLocked()
  await db.deleteFrom('sign_in_attempts').where('id', 'in', old).execute()
}

/** Counts a refusal of a network. Returns the number of refusals since the window began. */
export async function countRefusal(
  db: Kysely<Database>,
  { action, address, at }: { action: string; address: string; at: Date },
): Promise<number> {
  const { refusals } = await db
    .insertInto('sign_in_refusals')
    .values({ action, address, began_at: at, refusals: 1 })
    .onConflict((conflict) =>
      conflict.columns(['action', 'address']).doUpdateSet({ refusals: sql`sign_in_refusals.refusals + 1` }),
    )
    .returning('refusals')
    .executeTakeFirstOrThrow()
  return refusals
}

/** Removes and returns the counts of windows begun up to `moment`. Skips rows locked by another process. */
export async function takeRefusalsUntil(trx: Transaction<Database>, moment: Date) {
  const ended = trx
    .selectFrom('sign_in_refusals')
    .select(['action', 'address'])
    .where('began_at', '<=', moment.toISOString())
    .limit(WINDOWS_BATCH)
    .forUpdate()
    .skipLocked()
  return await trx
    .with('ended', () => ended)
    .deleteFrom('sign_in_refusals')
    .using('ended')
    .whereRef('sign_in_refusals.action', '=', 'ended.action')
    .whereRef('sign_in_refusals.address', '=', 'ended.address')
    .returning(['sign_in_refusals.action', 'sign_in_refusals.address', 'refusals'])
    .execute()
}
