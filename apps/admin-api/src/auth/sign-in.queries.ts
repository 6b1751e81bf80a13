import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Database } from '@switchboard/database/tables'
import type { Kysely, Transaction } from 'kysely'

/** Addresses of the account's sessions: open sessions, and ended sessions within their retention period. */
export async function addressesOfAccount(db: Kysely<Database>, foldedEmail: string): Promise<string[]> {
  const sessions = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'user_id')
    .select('address')
    .distinct()
    .where('folded_email', '=', foldedEmail)
    .execute()
  return sessions.flatMap(({ address }) => address ?? [])
}

/** Locks an account of the console for sign-in, unless the password has changed since its verification. */
export async function lockVerifiedUser(
  trx: Transaction<Database>,
  { id, password_hash }: { id: string; password_hash: string },
): Promise<boolean> {
  const found = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('is_active', '=', true)
    .where('tenant_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/** Locks an active account of the console. */
export async function lockActiveUser(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('users')
    .select(['id', 'email', 'name', 'role', 'is_active', 'created_at', 'is_break_glass', 'may_use_password'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('tenant_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Locks a live session and its account; `undefined` after the end of the session or a deactivation. */
export async function lockUserOfSession(
  trx: Transaction<Database>,
  actor: { id: string; session_id: string },
  now: Date,
) {
  const admin = await trx
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash'])
    .where('id', '=', actor.id)
    .where('is_active', '=', true)
    .where('tenant_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  // Read under the lock: changes that end sessions hold the same lock until the sessions are gone.
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', actor.session_id)
    .where('expires_at', '>', now.toISOString())
    .forUpdate()
    .executeTakeFirst()
  return session && admin
}

export async function passwordHashOf(db: Kysely<Database>, userId: string): Promise<string | null> {
  const found = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return found?.password_hash ?? null
}

/** Changes the email address and, like every change that the list of users shows, the version. */
export async function updateEmail(db: Kysely<Database>, id: string, email: string): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ email, folded_email: foldEmail(email), version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
