import type { AuditChanges } from '@switchboard/database/audit-tables'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

const NOT_SENT = 'The database was restored from a backup, without the queue of mails.'

/**
 * Ends all sessions, sign-ins in progress, invitations, password resets and pending email addresses, because any of
 * them may have ended after the backup was made. Removed members can no longer be restored, because a forged row would be an
 * account that nobody looks for. Marks waiting mails as failed, because a backup does not contain their jobs.
 */
export async function endAccess(trx: Transaction<Database>): Promise<void> {
  for (const table of ['sessions', 'sign_in_challenges', 'sso_flows', 'sso_codes', 'links'] as const)
    await sql`delete from ${sql.table(table)}`.execute(trx)
  await sql`
    delete from deletions where root_id in (
      select root_id from deletions where is_root and root_table = 'users' and record ->> 'tenant_id' is null
    )`.execute(trx)
  for (const table of ['known_devices', 'account_notices'] as const)
    await sql`
      update ${sql.table(table)} set mail_state = 'failed', mail_problem = ${NOT_SENT}
      where mail_state = 'queued'`.execute(trx)
}

type Access = { kind: 'API key' | 'service token' | 'member'; id: string; name: string; about: string }

/** All API keys and service tokens whose calls are accepted now, and the active people who run the console. */
export async function grantedAccess(db: Kysely<Database>): Promise<Access[]> {
  const { rows } = await sql<Access>`
    select 'API key' as kind, api_keys.id, api_keys.name,
      format('%s%s…%s of %s', key_prefix, key_start, key_last4, tenants.name) as about
    from api_keys join tenants on tenants.id = tenant_id
    where is_active and revoked_at is null and tenants.status = 'active'
      and (expires_at is null or expires_at > now()) and (grace_ends_at is null or grace_ends_at > now())
    union all
    select 'service token', id, name, format('%s… of %s', token_start, created_by_email)
    from service_tokens where revoked_at is null and expires_at > now()
    union all
    select 'member', id, email, role from users where tenant_id is null and is_active
    order by kind, about, id`.execute(db)
  return rows
}

/** A member with its role, or a service token with its scopes. */
export type Account = { kind: 'member' | 'service token'; id: string; name: string; role: string }

/** The active members, and the service tokens that are accepted if their maker is an active super admin. */
export async function accountsWithAccess(db: Kysely<Database>): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select 'member' as kind, id, email as name, role from users where tenant_id is null and is_active
    union all
    select 'service token', id, name, array_to_string(scopes, ', ') from service_tokens where revoked_at is null and expires_at > now()
    order by kind, name, id`.execute(db)
  return rows
}

export type AuditedChange = { target_id: string; action: string; changes: AuditChanges }

/** The audited changes of these records, oldest first. */
export async function changesOf(db: Kysely<Database>, ids: readonly string[]): Promise<AuditedChange[]> {
  const { rows } = await sql<AuditedChange>`
    select target_id, action, changes from audit_entries
    where target_id = any(${ids}::uuid[]) and outcome = 'done' order by seq`.execute(db)
  return rows
}
