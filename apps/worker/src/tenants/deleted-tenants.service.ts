import { inTransaction } from '@switchboard/database/in-transaction'
import { WORKER_ACTOR } from '@switchboard/contract/activity'
import { purgeTenant } from '@switchboard/contract/tenants'
import { TENANT_KEPT_DAYS } from '@switchboard/contract/tenants/tenant-status'
import { removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { databaseTime } from '@switchboard/database/database-clock'
import type { Deps } from '#src/deps.ts'
import { deletePurgedRecords, deletePurgedTenants, lockExpiredTenant, markPurged } from './deleted-tenants.queries.ts'

const WORKER = { id: null, email: WORKER_ACTOR, address: null, request_id: null }
const EXPIRED = `The tenant was deleted ${TENANT_KEPT_DAYS} days ago.`

/**
 * Permanently deletes tenants after 30 days, each with its audit row, and the records of all tenants that are permanently deleted, in
 * small batches. Safe in several workers at once. Returns the number of tenants whose 30 days have ended.
 */
export async function purgeTenants(deps: Pick<Deps, 'db'>): Promise<number> {
  let purged = 0
  while (await purgeExpired(deps)) purged += 1
  while (await deletePurgedRecords(deps.db)) continue
  await deletePurgedTenants(deps.db)
  return purged
}

async function purgeExpired({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const tenant = await lockExpiredTenant(trx, TENANT_KEPT_DAYS)
    if (tenant === undefined) return false
    const { id, name, subdomain } = tenant
    await markPurged(trx, id)
    await writeAudit(trx, await databaseTime(trx), WORKER, {
      action: purgeTenant.schema.operationId,
      reason: EXPIRED,
      target: { type: 'tenant', id, name, tenant_id: id },
      changes: removedFields({ subdomain }),
    })
    return true
  })
}
