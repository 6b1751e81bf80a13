import { EXPIRED_KEY_ACTION, GRACE_EXPIRED_ACTION } from '@switchboard/contract/activity'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { databaseTime } from '@switchboard/database/database-clock'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Deps } from '#src/deps.ts'
import { lockExpiredKeys, noteExpiry } from './expired-keys.queries.ts'

/** Keys per transaction. */
const BATCH = 500

/**
 * Writes an entry of the audit log for each key that has reached its expiry or the end of its grace period, once for each
 * expiry. Several workers may run it at once. Returns the number of keys.
 */
export async function noteExpiredKeys({ db }: Pick<Deps, 'db'>): Promise<number> {
  let noted = 0
  for (;;) {
    const batch = await inTransaction(db, async (trx) => {
      const keys = await lockExpiredKeys(trx, BATCH)
      if (keys.length === 0) return 0
      await noteExpiry(
        trx,
        keys.map(({ id }) => id),
      )
      const entries = keys.map(({ id, name, tenant_id, grace_ends_at }) => ({
        action: grace_ends_at === null ? EXPIRED_KEY_ACTION : GRACE_EXPIRED_ACTION,
        reason: grace_ends_at === null ? 'The key has expired.' : 'The grace period has ended.',
        target: { type: 'api_key' as const, id, name, tenant_id },
      }))
      await writeAudits(trx, await databaseTime(trx), WORKER, entries)
      return keys.length
    })
    noted += batch
    if (batch < BATCH) return noted
  }
}
