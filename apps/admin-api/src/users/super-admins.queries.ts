import type { Role } from '@switchboard/contract/auth/current-admin'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/** Serializes changes of super admins across processes until the end of the transaction. */
export async function lockSuperAdmins(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('super admins', 0))`.execute(trx)
}

/** The role of an active person who runs the console. */
export async function activeRole(trx: Transaction<Database>, id: string): Promise<Role | undefined> {
  const found = await trx
    .selectFrom('users')
    .select('role')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('tenant_id', 'is', null)
    .executeTakeFirst()
  return found?.role
}

/** Ids of the active super admins. */
export async function activeSuperAdmins(trx: Transaction<Database>): Promise<string[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'super_admin')
    .where('is_active', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}

export async function hasSuperAdmin(db: Kysely<Database>): Promise<boolean> {
  const found = await db.selectFrom('users').select('id').where('role', '=', 'super_admin').limit(1).executeTakeFirst()
  return found !== undefined
}

export async function insertSuperAdmin(
  db: Kysely<Database>,
  admin: { email: string; name?: string | null; password_hash: string; created_at: Date; is_break_glass?: boolean },
): Promise<{ id: string; email: string }> {
  return await db
    .insertInto('users')
    .values({ ...admin, folded_email: foldEmail(admin.email), role: 'super_admin', tenant_id: null })
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow()
}
