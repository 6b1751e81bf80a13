import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { ImportedUser } from '@switchboard/contract/users/user-import'
import { DELETION_KEPT_MINUTES } from '@switchboard/contract/wire/deletions'
import type { Database } from '@switchboard/database/tables'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import { sql, type Transaction } from 'kysely'
import { z } from 'zod'

/** The users with these folded email addresses, by address. */
export async function usersByEmail(trx: Transaction<Database>, emails: readonly string[]) {
  if (emails.length === 0) return new Map<string, never>()
  const rows = await trx
    .selectFrom('users')
    .select(['role', 'tenant_id', 'is_active', 'folded_email as key'])
    .select(sql<string | null>`(select name from tenants where tenants.id = users.tenant_id)`.as('tenant_name'))
    .where('folded_email', 'in', emails)
    .execute()
  return new Map(
    rows.map(({ key, tenant_name, ...values }) => [key, { values, texts: { tenant_id: tenant_name ?? '' } }]),
  )
}

/** Returns which of these folded email addresses belong to users of deleted tenants. */
export async function heldEmails(trx: Transaction<Database>, emails: readonly string[]) {
  if (emails.length === 0) return new Set<string>()
  const { rows } = await sql<{ email: string }>`
    select deleted_records.record ->> 'folded_email' as email from deleted_records
    join deleted_tenants on deleted_tenants.id = tenant_id and purged_at is null
    where table_name = 'users' and deleted_records.record ->> 'folded_email' = any(${[...emails]}::text[])`.execute(trx)
  return new Set(rows.map(({ email }) => email))
}

/** Returns which of these folded email addresses belong to removed members whose removal can still be undone. */
export async function removedEmails(trx: Transaction<Database>, emails: readonly string[]) {
  if (emails.length === 0) return new Set<string>()
  const { rows } = await sql<{ email: string }>`
    select records #>> '{0,rows,0,folded_email}' as email from deletions
    where table_name = 'users' and tenant_id is null
      and records #>> '{0,rows,0,folded_email}' = any(${[...emails]}::text[])
      and deleted_at > now() - make_interval(mins => ${DELETION_KEPT_MINUTES})`.execute(trx)
  return new Set(rows.map(({ email }) => email))
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

/** Inserts users without a password in the order of their addresses, which prevents deadlocks. Skips taken addresses. */
export async function insertUsers(trx: Transaction<Database>, users: readonly ImportedUser[], created_at: Date) {
  if (users.length === 0) return []
  const sorted = users
    .map((user) => ({ ...user, folded_email: foldEmail(user.email) }))
    .toSorted((one, other) => (one.folded_email < other.folded_email ? -1 : 1))
  return await trx
    .insertInto('users')
    .values(sorted.map((user) => ({ ...user, created_at, password_hash: NO_PASSWORD, must_change_password: true })))
    .onConflict((taken) => taken.doNothing())
    .returning(['id', 'email', 'role', 'tenant_id', 'is_active'])
    .execute()
}
