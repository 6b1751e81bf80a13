import * as contract from '@switchboard/contract/tenants/tenant-import'
import type { ImportAnswer } from '@switchboard/contract/wire/imports'
import { addedFields, writeAudits } from '@switchboard/database/audit/audit.queries'
import { CONSTRAINT_SENTENCES } from '@switchboard/database/constraint-sentences'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type * as z from 'zod/mini'
import type { Deps } from '#src/deps.ts'
import { importRows } from '#src/lists/import.service.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { FUTURE_END, NOT_SUSPENDED } from './tenants.service.ts'
import { heldSubdomains, insertTenants, ownersOfExternalIds, tenantsBySubdomain } from './import-tenants.queries.ts'

const HELD = { column: 'subdomain', message: CONSTRAINT_SENTENCES['deletions_subdomain_unique'] ?? '' }
const OWNED = { column: 'external_id', message: CONSTRAINT_SENTENCES['tenants_external_id_unique'] ?? '' }

/** Creates the tenants whose subdomains are free, each with the audit entry of a creation. */
export async function importTenants(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  body: z.infer<typeof contract.importTenants.schema.body>,
): Promise<ImportAnswer> {
  const rules = {
    schema: contract.importedTenant,
    required: ['name', 'subdomain', 'tenant_type'],
    keyOf: ({ subdomain }: contract.ImportedTenant) => subdomain,
    refusal: async (trx: Transaction<Database>, tenants: readonly contract.ImportedTenant[]) => {
      const held = await heldSubdomains(
        trx,
        tenants.map(({ subdomain }) => subdomain),
      )
      // Of several rows with the same external id, only the first is created.
      const owners = await ownersOfExternalIds(
        trx,
        tenants.flatMap(({ external_id }) => external_id ?? []),
      )
      for (const { external_id, subdomain } of tenants)
        if (external_id !== undefined && !owners.has(external_id)) owners.set(external_id, subdomain)
      return (tenant: contract.ImportedTenant) => {
        if (held.has(tenant.subdomain)) return HELD
        if (tenant.external_id !== undefined && owners.get(tenant.external_id) !== tenant.subdomain) return OWNED
        return suspensionProblem(tenant, now())
      }
    },
    existing: tenantsBySubdomain,
    create: async (trx: Transaction<Database>, tenants: readonly contract.ImportedTenant[]) => {
      const created = await insertTenants(trx, tenants, now())
      const rows = new Map(tenants.map((tenant) => [tenant.subdomain, tenant]))
      const entries = created.map(({ id, name, subdomain }) => ({
        action: contract.importTenants.schema.operationId,
        target: { type: 'tenant' as const, id, name, tenant_id: id },
        changes: addedFields({ ...rows.get(subdomain) }),
      }))
      await writeAudits(trx, now(), actor, entries)
      return new Set(created.map(({ subdomain }) => subdomain))
    },
  }
  return await importRows(db, rules, body)
}

/** A new tenant has a suspension only while it is inactive, and with an end in the future. */
function suspensionProblem(tenant: contract.ImportedTenant, now: Date) {
  const { status, suspension_reason, suspended_until } = tenant
  if (status !== 'inactive' && suspension_reason !== undefined)
    return { column: 'suspension_reason', message: NOT_SUSPENDED }
  if (suspended_until === undefined) return null
  if (status !== 'inactive') return { column: 'suspended_until', message: NOT_SUSPENDED }
  return Date.parse(suspended_until) > now.getTime() ? null : { column: 'suspended_until', message: FUTURE_END }
}
