import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'

/** The account is a hash, the address a network: see `attemptAt`. */
export type Attempt = { account: Buffer; address: string }

/** Where an account was signed in to, by sessions that are open or ended no longer ago than they are kept. */
export async function addressesOfAccount(db: Kysely<Database>, foldedEmail: string): Promise<string[]> {
  const sessions = await db
    .selectFrom('sessions')
    .innerJoin('admins', 'admins.id', 'admin_id')
    .select('address')
    .distinct()
    .where(sql<boolean>`lower(email) = ${foldedEmail}`)
    .execute()
  return sessions.flatMap(({ address }) => address ?? [])
}

/** Puts all attempts from one address, then all at one account, in line until the transaction ends, across processes. */
export async function lockAttempts(trx: Transaction<Database>, { account, address }: Attempt): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sign-in from ' || ${address}, 0))`.execute(trx)
  await sql`select pg_advisory_xact_lock(hashtextextended('sign-in at ' || encode(${account}, 'hex'), 0))`.execute(trx)
}

/** Attempts since a moment: at this account from this address, at this account, from this address. */
export async function attemptsSince(db: Kysely<Database>, since: Date, { account, address }: Attempt) {
  const recent = db
    .selectFrom('sign_in_attempts')
    .select(({ fn }) => [fn.countAll<number>().as('attempts'), fn.min<string | null>('at').as('oldest_at')])
    .where('at', '>', since.toISOString())
  const counted = recent.where('is_refusal', '=', false)
  const ofAccount = counted.where('account', '=', account)
  const refusals = recent.where('is_refusal', '=', true).where('account', '=', account).where('address', '=', address)
  return {
    pair: await ofAccount.where('address', '=', address).executeTakeFirstOrThrow(),
    account: await ofAccount.executeTakeFirstOrThrow(),
    address: await counted.where('address', '=', address).executeTakeFirstOrThrow(),
    refusals: (await refusals.executeTakeFirstOrThrow()).attempts,
  }
}

export async function insertAttempt(
  db: Kysely<Database>,
  attempt: Insertable<Database['sign_in_attempts']>,
): Promise<void> {
  await db.insertInto('sign_in_attempts').values(attempt).execute()
}

export async function deleteAttempts(db: Kysely<Database>, { account, address }: Attempt): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('account', '=', account).where('address', '=', address).execute()
}

export async function deleteAttemptsOfAccount(db: Kysely<Database>, account: Buffer): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('account', '=', account).execute()
}

/** Forgets attempts that no longer count; those that another process is forgetting are left to it. */
export async function deleteAttemptsBefore(db: Kysely<Database>, moment: Date): Promise<void> {
  const old = db
    .selectFrom('sign_in_attempts')
    .select('id')
    .where('at', '<', moment.toISOString())
    .limit(1_000)
    .forUpdate()
    .skipLocked()
  await db.deleteFrom('sign_in_attempts').where('id', 'in', old).execute()
}

/** The admin of a folded address (`foldEmail`). */
export async function adminByEmail(db: Kysely<Database>, foldedEmail: string) {
  return await db
    .selectFrom('admins')
    .selectAll()
    .where(sql<boolean>`lower(email) = ${foldedEmail}`)
    .executeTakeFirst()
}

/** Locks an admin who may sign in as long as the password is still the one that was verified. */
export async function lockVerifiedAdmin(
  trx: Transaction<Database>,
  { id, password_hash }: { id: string; password_hash: string },
): Promise<boolean> {
  const found = await trx
    .selectFrom('admins')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('is_active', '=', true)
    .where('role', '=', 'super_admin')
    .forUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/** Locks a session that still stands and its admin; `undefined` when it was ended or its admin may no longer sign in. */
export async function lockAdminOfSession(
  trx: Transaction<Database>,
  actor: { id: string; session_id: string },
  now: Date,
) {
  const admin = await trx
    .selectFrom('admins')
    .select(['id', 'email', 'password_hash'])
    .where('id', '=', actor.id)
    .where('is_active', '=', true)
    .where('role', '=', 'super_admin')
    .forUpdate()
    .executeTakeFirst()
  // Looked up once the lock is held: whoever ends sessions because of a change holds it until they are gone.
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', actor.session_id)
    .where('expires_at', '>', now.toISOString())
    .forUpdate()
    .executeTakeFirst()
  return session && admin
}

export async function passwordHashOf(db: Kysely<Database>, adminId: string): Promise<string | null> {
  const found = await db.selectFrom('admins').select('password_hash').where('id', '=', adminId).executeTakeFirst()
  return found?.password_hash ?? null
}

export async function setEmail(db: Kysely<Database>, adminId: string, email: string): Promise<void> {
  await db.updateTable('admins').set({ email }).where('id', '=', adminId).execute()
}

export async function setPasswordHash(db: Kysely<Database>, adminId: string, passwordHash: string): Promise<void> {
  await db.updateTable('admins').set({ password_hash: passwordHash }).where('id', '=', adminId).execute()
}
