import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { ImportedUser } from '@switchboard/contract/users/user-import'
import type { Database } from '@switchboard/database/tables'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import { sql, type Transaction } from 'kysely'
import { z } from 'zod'

/** The users with these folded email addresses, by address. */
export async function usersByEmail(trx: Transaction<Database>, emails: readonly string[]) {
  if (emails.length === 0) return new Map<string, never>()
  const rows = await trx
    .selectFrom('users')
    .select(['name', 'external_id', 'role', 'tenant_id', 'is_active', 'folded_email as key'])
    .select(sql<string | null>`(select name from tenants where tenants.id = users.tenant_id)`.as('tenant_name'))
    .where('folded_email', 'in', emails)
    .execute()
  return new Map(
    rows.map(({ key, tenant_name, ...values }) => [key, { values, texts: { tenant_id: tenant_name ?? '' } }]),
  )
}

/** Those of these folded email addresses that users of deleted tenants hold, and those of people removed from the team. */
export async function heldEmails(trx: Transaction<Database>, emails: readonly string[]) {
  if (emails.length === 0) return { ofDeletedTenants: new Set<string>(), ofRemoved: new Set<string>() }
  const { rows } = await sql<{ email: string; root_table: string }>`
    select held.record ->> 'folded_email' as email, root.root_table from deletions as held
    join deletions as root on root.root_id = held.root_id and root.is_root and root.kept_until is not null
    where held.table_name = 'users' and held.record ->> 'folded_email' = any(${[...emails]}::text[])
      and (root.root_table = 'tenants' or root.record ->> 'tenant_id' is null)`.execute(trx)
  const of = (isOfTenant: boolean) =>
    new Set(rows.filter(({ root_table }) => (root_table === 'tenants') === isOfTenant).map(({ email }) => email))
  return { ofDeletedTenants: of(true), ofRemoved: of(false) }
}

/** The folded email addresses of the users with these external ids, by external id. */
export async function ownersOfExternalIds(trx: Transaction<Database>, externalIds: readonly string[]) {
  const { rows } = await sql<{ external_id: string; folded_email: string }>`
    select external_id, folded_email from users where external_id = any(${[...externalIds]}::text[])`.execute(trx)
  return new Map(rows.map(({ external_id, folded_email }) => [external_id, folded_email]))
}

/** Locks the tenants with these ids or subdomains, and returns their ids by both. */
export async function lockNamedTenants(trx: Transaction<Database>, names: readonly string[]) {
  if (names.length === 0) return new Map<string, string>()
  const ids = names.filter((name) => z.uuid().safeParse(name).success)
  const rows = await trx
    .selectFrom('tenants')
    .select(['id', 'subdomain'])
    .where(sql<boolean>`(id = any(${ids}::uuid[]) or subdomain = any(${[...names]}::text[]))`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.flatMap(({ id, subdomain }) => [[id, id] as const, [subdomain, id] as const]))
}

/** Inserts users without a password in the order of their addresses, which prevents deadlocks. Skips taken addresses and external ids. */
export async function insertUsers(trx: Transaction<Database>, users: readonly ImportedUser[], created_at: Date) {
  if (users.length === 0) return []
  const sorted = users
    .map((user) => ({ ...user, folded_email: foldEmail(user.email) }))
    .toSorted((one, other) => (one.folded_email < other.folded_email ? -1 : 1))
  return await trx
    .insertInto('users')
    .values(sorted.map((user) => ({ ...user, created_at, password_hash: NO_PASSWORD, must_change_password: true })))
    .onConflict((taken) => taken.doNothing())
    .returning(['id', 'email', 'name', 'external_id', 'role', 'tenant_id', 'is_active'])
    .execute()
}
