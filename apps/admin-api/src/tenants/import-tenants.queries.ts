import type { ImportedTenant } from '@switchboard/contract/tenants/tenant-import'
import type { Database } from '@switchboard/database/tables'
import { sql, type Transaction } from 'kysely'

/** The tenants with these subdomains, by subdomain. */
export async function tenantsBySubdomain(trx: Transaction<Database>, subdomains: readonly string[]) {
  if (subdomains.length === 0) return new Map<string, never>()
  const rows = await trx
    .selectFrom('tenants')
    .select([
      'name',
      'subdomain',
      'tenant_type',
      'status',
      'goal',
      'aggressiveness',
      'tags',
      'custom_fields',
      'external_id',
      'suspension_reason',
      'suspended_until',
    ])
    .where('subdomain', 'in', subdomains)
    .execute()
  return new Map(rows.map((values) => [values.subdomain, { values }]))
}

/** Those of these subdomains that deleted tenants hold. */
export async function heldSubdomains(trx: Transaction<Database>, subdomains: readonly string[]) {
  if (subdomains.length === 0) return new Set<string>()
  const { rows } = await sql<{ subdomain: string }>`
    select record ->> 'subdomain' as subdomain from deletions
    where table_name = 'tenants' and kept_until is not null and record ->> 'subdomain' = any(${[...subdomains]}::text[])`.execute(
    trx,
  )
  return new Set(rows.map(({ subdomain }) => subdomain))
}

/** The subdomains of the tenants with these external ids, by external id. */
export async function ownersOfExternalIds(trx: Transaction<Database>, externalIds: readonly string[]) {
  const { rows } = await sql<{ external_id: string; subdomain: string }>`
    select external_id, subdomain from tenants where external_id = any(${[...externalIds]}::text[])`.execute(trx)
  return new Map(rows.map(({ external_id, subdomain }) => [external_id, subdomain]))
}

/**
 * Inserts tenants in the order of their subdomains, which prevents deadlocks. Skips taken subdomains and external ids.
 */
export async function insertTenants(trx: Transaction<Database>, tenants: readonly ImportedTenant[], created_at: Date) {
  if (tenants.length === 0) return []
  const sorted = tenants.toSorted((one, other) => (one.subdomain < other.subdomain ? -1 : 1))
  return await trx
    .insertInto('tenants')
    .values(
      sorted.map(({ custom_fields, suspended_until, ...tenant }) => ({
        ...tenant,
        ...(custom_fields && { custom_fields: JSON.stringify(custom_fields) }),
        suspended_until: suspended_until === undefined ? null : new Date(suspended_until),
        created_at,
        suspended_at: tenant.status === 'inactive' ? created_at : null,
      })),
    )
    .onConflict((taken) => taken.doNothing())
    .returning(['id', 'name', 'subdomain'])
    .execute()
}
