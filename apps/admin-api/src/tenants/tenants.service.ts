import * as contract from '@switchboard/contract/tenants'
import type { CreateTenantBody, Suspension, Tenant, UpdateTenantBody } from '@switchboard/contract/tenants'
import { addedFields, changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { invalidField, notFound } from '@switchboard/server/http/errors'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseStale } from '#src/requests/refusals/stale.service.ts'
import { deleteTenant, restoreTenant } from './deleted-tenants.service.ts'
import { tenantTarget } from './tenant-target.ts'
import { insertTenant, lockTenant, tenantById, updateTenantRow } from './tenants.queries.ts'

export const NOT_SUSPENDED = 'Only an inactive tenant has a suspension.'
export const FUTURE_END = 'Choose an end in the future.'

/** The tenant with this id. Throws 404. */
export async function tenantOf({ db }: Pick<Deps, 'db'>, id: string): Promise<Tenant> {
  const tenant = await tenantById(db, id)
  if (tenant === undefined) throw notFound('Tenant')
  return tenant
}

/**
 * Creates a tenant. The database refuses a taken subdomain and a taken external id (409). Throws 422 for a suspension of an active
 * tenant or with an end in the past.
 */
export async function createTenant({ db, now }: Deps, actor: Actor, body: CreateTenantBody): Promise<Tenant> {
  return await inTransaction(db, async (trx) => {
    const { name, subdomain, tenant_type, external_id = null } = body
    const suspension = suspensionAfter(NEW, body, now())
    const tenant = await insertTenant(trx, {
      ...columnsOf(body, suspension),
      name,
      subdomain,
      tenant_type,
      external_id,
      created_at: now(),
      ...(body.status === 'inactive' && { suspended_at: now() }),
    })
    await writeAudit(trx, now(), actor, {
      action: contract.createTenant.schema.operationId,
      target: tenantTarget(tenant),
      changes: addedFields({ ...body }),
      ...(tenant.suspension_reason !== null && { reason: tenant.suspension_reason }),
    })
    return tenant
  })
}

/**
 * Changes the given fields. Throws 404, 412 with the current record unless its version is `expectedVersion` (if given), and
 * 422 for a suspension of an active tenant or with a new end in the past.
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
    const suspension = suspensionAfter(before, body, now())
    const changes = changedFields(before, { ...body, ...suspension })
    if (Object.keys(changes).length === 0) return before
    const after = await updateTenantRow(trx, id, {
      ...columnsOf(body, suspension),
      ...(changes['status'] && { suspended_at: body.status === 'inactive' ? now() : null }),
    })
    await writeAudit(trx, now(), actor, {
      action: contract.updateTenant.schema.operationId,
      target: tenantTarget(after),
      changes,
      ...(changes['status'] && after.suspension_reason !== null && { reason: after.suspension_reason }),
    })
    return after
  })
}

/** The bulk changes of tenants. */
export const tenantBulk = {
  targetType: 'tenant',
  lock: lockTenant,
  nameOf: (tenant: Tenant) => tenant.name,
  actions: {
    reactivate: setStatus('active'),
    suspend: setStatus('inactive'),
    delete: { endpoint: contract.deleteTenant, act: deleteTenant },
    restore: { endpoint: contract.restoreTenant, act: restoreTenant },
  },
} as const

function setStatus(status: Tenant['status']) {
  return {
    endpoint: contract.updateTenant,
    isDone: (tenant: Tenant) => tenant.status === status,
    act: (deps: Deps, actor: Actor, id: string) => updateTenant(deps, actor, { id, expectedVersion: null }, { status }),
  }
}

/** A tenant without a suspension. */
const NEW = { status: 'active', suspension_reason: null, suspended_until: null } as const

/** The suspension of a tenant after a change: none once the tenant is active. */
function suspensionAfter(before: Suspension & Pick<Tenant, 'status'>, body: UpdateTenantBody, now: Date): Suspension {
  const { suspension_reason = before.suspension_reason } = body
  const until = body.suspended_until
  const suspended_until = until === undefined ? before.suspended_until : (dateOf(until)?.toISOString() ?? null)
  if ((body.status ?? before.status) === 'active') {
    if (body.suspension_reason) throw invalidField('suspension_reason', NOT_SUSPENDED)
    if (until) throw invalidField('suspended_until', NOT_SUSPENDED)
    return { suspension_reason: null, suspended_until: null }
  }
  const isNew = suspended_until !== null && suspended_until !== before.suspended_until
  if (isNew && Date.parse(suspended_until) <= now.getTime()) throw invalidField('suspended_until', FUTURE_END)
  return { suspension_reason, suspended_until }
}

/** The columns of given fields, with the suspension that results from them. */
function columnsOf({ custom_fields, ...fields }: UpdateTenantBody, suspension: Suspension) {
  return {
    ...fields,
    ...(custom_fields && { custom_fields: JSON.stringify(custom_fields) }),
    ...suspension,
    suspended_until: dateOf(suspension.suspended_until),
  }
}

function dateOf(moment: string | null): Date | null {
  return moment === null ? null : new Date(moment)
}
