import * as contract from '@switchboard/contract/tenants'
import type { Tenant } from '@switchboard/contract/tenants'
import { removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { markPurged } from '@switchboard/database/mark-purged'
import { notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { lockDeleted, moveAway, moveBack } from '#src/lists/deletions/deletions.queries.ts'
import { tenantTarget } from './tenant-target.ts'
import { lockTenant, tenantById } from './tenants.queries.ts'

/** Deletes a tenant with its users, keys, tasks and reviews. It can be restored for 30 days. Throws 404. */
export async function deleteTenant({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const tenant = await lockTenant(trx, id)
    if (tenant === undefined) throw notFound('Tenant')
    await moveAway(trx, 'tenants', id)
    const { subdomain, admin_count, api_key_count, task_count } = tenant
    await writeAudit(trx, now(), actor, {
      action: contract.deleteTenant.schema.operationId,
      target: tenantTarget(tenant),
      changes: removedFields({ subdomain, admin_count, api_key_count, task_count }),
    })
  })
}

/** Restores a deleted tenant with all its records. A restored tenant stays as it is. Throws 404. */
export async function restoreTenant({ db, now }: Deps, actor: Actor, id: string): Promise<Tenant> {
  return await inTransaction(db, async (trx) => {
    const deleted = await lockDeleted(trx, 'tenants', id)
    if (deleted !== undefined) {
      await moveBack(trx, 'tenants', id)
      const action = contract.restoreTenant.schema.operationId
      await writeAudit(trx, now(), actor, { action, target: tenantTarget(deleted) })
    }
    const tenant = await tenantById(trx, id)
    if (tenant === undefined) throw notFound('Deleted tenant')
    return tenant
  })
}

/** Permanently deletes a deleted tenant: it cannot be restored, and a worker deletes its records. Throws 404. */
export async function purgeTenant({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const deleted = await lockDeleted(trx, 'tenants', id)
    if (deleted === undefined) throw notFound('Deleted tenant')
    await markPurged(trx, id)
    await writeAudit(trx, now(), actor, {
      action: contract.purgeTenant.schema.operationId,
      target: tenantTarget(deleted),
      changes: removedFields({ subdomain: deleted.subdomain }),
    })
  })
}
