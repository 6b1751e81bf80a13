import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/** The admin of a folded address (`foldEmail`). */
export async function userByEmail(db: Kysely<Database>, foldedEmail: string) {
  return await db
    .selectFrom('admins')
    .selectAll()
    .where(sql<boolean>`lower(email) = ${foldedEmail}`)
    .executeTakeFirst()
}

/** Locks an admin who may sign in as long as the password is still the one that was verified. */
export async function lockVerifiedUser(
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
export async function lockUserOfSession(
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

export async function passwordHashOf(db: Kysely<Database>, userId: string): Promise<string | null> {
  const found = await db.selectFrom('admins').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return found?.password_hash ?? null
}

export async function setEmail(db: Kysely<Database>, userId: string, email: string): Promise<void> {
  await db.updateTable('admins').set({ email }).where('id', '=', userId).execute()
}

export async function setPasswordHash(db: Kysely<Database>, userId: string, passwordHash: string): Promise<void> {
  await db.updateTable('admins').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}
