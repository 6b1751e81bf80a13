import * as contract from '@switchboard/contract/tenants'
import type { CreateTenantBody, Tenant, UpdateTenantBody } from '@switchboard/contract/tenants'
import {
  addedFields,
  type AuditTarget,
  changedFields,
  removedFields,
  writeAudit,
} from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { notFound } from '@switchboard/server/http/errors'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseStale } from '#src/refusals/stale.service.ts'
import { deleteTenantRow, insertTenant, lockTenant, tenantById, updateTenantRow } from './tenants.queries.ts'

/** The tenant with this id. Throws 404. */
export async function tenantOf({ db }: Pick<Deps, 'db'>, id: string): Promise<Tenant> {
  const tenant = await tenantById(db, id)
  if (tenant === undefined) throw notFound('Tenant')
  return tenant
}

/** Creates a tenant. A taken subdomain is refused by the database (409). */
export async function createTenant({ db, now }: Deps, actor: Actor, body: CreateTenantBody): Promise<Tenant> {
  return await inTransaction(db, async (trx) => {
    const tenant = await insertTenant(trx, { ...body, created_at: now() })
    const { name, subdomain, tenant_type } = tenant
    await writeAudit(trx, now(), actor, {
      action: contract.createTenant.schema.operationId,
      target: targetOf(tenant),
      changes: addedFields({ name, subdomain, tenant_type }),
    })
    return tenant
  })
}

/**
 * Changes the given fields. Throws 404, and 412 with the current record unless its version
 * is `expectedVersion` (if given).
 */
export async function updateTenant(
  { db, now }: Deps,
  actor: Actor,
  { id, expectedVersion }: { id: string; expectedVersion: number | null },
  body: UpdateTenantBody,
): Promise<Tenant> {
  return await inTransaction(db, async (trx) => {
    const before = await lockTenant(trx, id)
    if (before === undefined) throw notFound('Tenant')
    await refuseStale(trx, 'tenant', before, expectedVersion)
    const changes = changedFields(before, body)
    if (Object.keys(changes).length === 0) return before
    const after = await updateTenantRow(trx, id, body)
    await writeAudit(trx, now(), actor, {
      action: contract.updateTenant.schema.operationId,
      target: targetOf(after),
      changes,
    })
    return after
  })
}

/** Deletes the tenant with its users, keys, tasks and reviews. Throws 404. */
export async function deleteTenant({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const tenant = await lockTenant(trx, id)
    if (tenant === undefined) throw notFound('Tenant')
    await deleteTenantRow(trx, id)
    const { subdomain, admin_count, api_key_count, task_count } = tenant
    await writeAudit(trx, now(), actor, {
      action: contract.deleteTenant.schema.operationId,
      target: targetOf(tenant),
      changes: removedFields({ subdomain, admin_count, api_key_count, task_count }),
    })
  })
}

/** The bulk changes of tenants. */
export const tenantBulk = {
  targetType: 'tenant',
  lock: lockTenant,
  nameOf: (tenant: Tenant) => tenant.name,
  actions: {
    activate: setStatus('active'),
    deactivate: setStatus('inactive'),
    delete: { endpoint: contract.deleteTenant, act: deleteTenant },
  },
} as const

function setStatus(status: Tenant['status']) {
  return {
    endpoint: contract.updateTenant,
    isDone: (tenant: Tenant) => tenant.status === status,
    act: (deps: Deps, actor: Actor, id: string) => updateTenant(deps, actor, { id, expectedVersion: null }, { status }),
  }
}

function targetOf({ id, name }: Tenant): AuditTarget {
  return { type: 'tenant', id, name, tenant_id: id }
}
