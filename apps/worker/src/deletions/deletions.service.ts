import { purgeTenant } from '@switchboard/contract/tenants'
import { DELETION_KEPT_DAYS } from '@switchboard/contract/wire/deletions'
import { removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { databaseTime } from '@switchboard/database/database-clock'
import { inTransaction } from '@switchboard/database/in-transaction'
import { markPurged } from '@switchboard/database/mark-purged'
import type { Deps } from '#src/deps.ts'
import { deletePurgedRecords, deletePurgedRows, lockExpiredTenant, markExpired } from './deletions.queries.ts'

const EXPIRED = `The tenant was deleted ${DELETION_KEPT_DAYS} days ago.`

/**
 * Permanently deletes records 30 days after their deletion, with an audit entry for each tenant, then deletes the rows of all
 * permanently deleted records in small batches. Several workers may run it at once. Returns the number of tenants whose 30
 * days have ended.
 */
export async function purgeDeletions(deps: Pick<Deps, 'db'>): Promise<number> {
  let purged = 0
  while (await purgeExpiredTenant(deps)) purged += 1
  await markExpired(deps.db)
  while (await deletePurgedRows(deps.db)) continue
  await deletePurgedRecords(deps.db)
  return purged
}

async function purgeExpiredTenant({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const tenant = await lockExpiredTenant(trx)
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
