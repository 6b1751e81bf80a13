import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/** Puts all attempts at one account in line until the transaction ends, across processes. */
export async function lockAccount(trx: Transaction<Database>, account: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sign-in ' || encode(${account}, 'hex'), 0))`.execute(trx)
}

/** Attempts since a moment: at this account from this address, at this account, from this address. */
export async function attemptsSince(db: Kysely<Database>, since: Date, account: Buffer, address: string) {
  const recent = db
    .selectFrom('sign_in_attempts')
    .select(({ fn }) => [fn.countAll<number>().as('attempts'), fn.min<string | null>('at').as('oldest_at')])
    .where('at', '>', since.toISOString())
  const ofAccount = recent.where('account', '=', account)
  return {
    pair: await ofAccount.where('address', '=', address).executeTakeFirstOrThrow(),
    account: await ofAccount.executeTakeFirstOrThrow(),
    address: await recent.where('address', '=', address).executeTakeFirstOrThrow(),
  }
}

export async function insertAttempt(
  db: Kysely<Database>,
  attempt: { account: Buffer; address: string; at: Date },
): Promise<void> {
  await db.insertInto('sign_in_attempts').values(attempt).execute()
}

export async function deleteAttempts(db: Kysely<Database>, account: Buffer, address: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('account', '=', account).where('address', '=', address).execute()
}

export async function deleteAttemptsOfAccount(db: Kysely<Database>, account: Buffer): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('account', '=', account).execute()
}

export async function deleteAttemptsBefore(db: Kysely<Database>, moment: Date): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('at', '<', moment.toISOString()).execute()
}

/** The admin of an address, compared without regard to case. */
export async function adminByEmail(db: Kysely<Database>, email: string) {
  return await db
    .selectFrom('admins')
    .selectAll()
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()
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
