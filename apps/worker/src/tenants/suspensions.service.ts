import { inTransaction } from '@switchboard/database/in-transaction'
import { updateTenant } from '@switchboard/contract/tenants'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { databaseTime } from '@switchboard/database/database-clock'
import type { Deps } from '#src/deps.ts'
import { reactivateTenant, lockEndedSuspension } from './suspensions.queries.ts'

const ENDED = 'The suspension has ended.'

/**
 * Reactivates every tenant whose suspension has ended, each in a separate transaction with its audit entry. Several workers
 * may run it at once. Returns the number of reactivated tenants.
 */
export async function endSuspensions(deps: Pick<Deps, 'db'>): Promise<number> {
  let ended = 0
  while (await endOne(deps)) ended += 1
  return ended
}

async function endOne({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const tenant = await lockEndedSuspension(trx)
    if (tenant === undefined) return false
    const { id, name, suspension_reason, suspended_until } = tenant
    await reactivateTenant(trx, id)
    await writeAudit(trx, await databaseTime(trx), WORKER, {
      action: updateTenant.schema.operationId,
      reason: ENDED,
      target: { type: 'tenant', id, name, tenant_id: id },
      changes: {
        status: { before: 'inactive', after: 'active' },
        ...(suspension_reason !== null && { suspension_reason: { before: suspension_reason, after: null } }),
        suspended_until: { before: suspended_until, after: null },
      },
    })
    return true
  })
}
