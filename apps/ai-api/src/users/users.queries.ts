import type { TenantRole } from '@switchboard/contract/users'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type Transaction, type Updateable } from 'kysely'

/**
 * Number of latest sign-ins that are searched for known networks: few, so that the response time does not reveal a
 * known user.
 */
const SIGN_INS_MAX = 20

export type TenantUser = {
  id: string
  email: string
  name: string | null
  role: TenantRole
  password_hash: string
  must_change_password: boolean
  tenant_name: string
  tenant_subdomain: string
}

export async function hasTenant(db: Kysely<Database>, id: string): Promise<boolean> {
  return (await db.selectFrom('tenants').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The active user of an active tenant with a folded email address (`foldEmail`). */
export async function activeUserOfTenant(
  db: Kysely<Database>,
  tenantId: string,
  foldedEmail: string,
): Promise<TenantUser | undefined> {
  return await activeUsers(db, tenantId).where('users.folded_email', '=', foldedEmail).executeTakeFirst()
}

function activeUsers(db: Kysely<Database>, tenantId: string) {
  return db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['users.id', 'users.email', 'users.name', 'users.role', 'password_hash', 'must_change_password'])
    .select(['tenants.name as tenant_name', 'tenants.subdomain as tenant_subdomain'])
    .where('tenant_id', '=', tenantId)
    .where('users.is_active', '=', true)
    .where('tenants.status', '=', 'active')
    .$narrowType<{ role: TenantRole }>()
}

/** The active user of an active tenant whom an invitation with this hash lets choose a password. */
export async function invitedUser(
  db: Kysely<Database>,
  tenantId: string,
  tokenHash: Buffer,
  now: Date,
): Promise<TenantUser | undefined> {
  return await activeUsers(db, tenantId)
    .innerJoin('links', 'links.user_id', 'users.id')
    .where('kind', '=', 'user_invitation')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
}

/** Deletes the invitation of a locked user, so only one of several concurrent calls gets it. */
export async function deleteInvitation(trx: Transaction<Database>, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('links')
    .where('kind', '=', 'user_invitation')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Locks an active user of an active tenant, unless the password has changed since its verification. */
export async function lockVerifiedUser(
  trx: Transaction<Database>,
  tenantId: string,
  { id, password_hash }: Pick<TenantUser, 'id' | 'password_hash'>,
): Promise<boolean> {
  const found = await trx
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select('users.id')
    .where('users.id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('password_hash', '=', password_hash)
    .where('users.is_active', '=', true)
    .where('tenants.status', '=', 'active')
    .forUpdate('users')
    .executeTakeFirst()
  return found !== undefined
}

export async function updateUserRow(
  trx: Transaction<Database>,
  id: string,
  changes: Updateable<Database['users']>,
): Promise<void> {
  await trx.updateTable('users').set(changes).where('id', '=', id).execute()
}

/** Addresses of the latest sign-ins of a user since `since`. */
export async function signInAddresses(
  db: Kysely<Database>,
  { tenantId, foldedEmail, since }: { tenantId: string; foldedEmail: string; since: Date },
): Promise<string[]> {
  const signIns = await db
    .selectFrom('portal_sign_ins')
    .select('address')
    .where('user_id', '=', (eb) =>
      eb
        .selectFrom('users')
        .select('users.id')
        .where('users.tenant_id', '=', tenantId)
        .where('folded_email', '=', foldedEmail),
    )
    .where('outcome', '=', 'done')
    .where('at', '>', since.toISOString())
    .orderBy('at', 'desc')
    .limit(SIGN_INS_MAX)
    .execute()
  return signIns.flatMap(({ address }) => address ?? [])
}
