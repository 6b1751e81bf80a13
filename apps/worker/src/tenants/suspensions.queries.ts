import type { Database } from '@switchboard/database/tables'
import { sql, type Transaction } from 'kysely'

/**
 * Locks a tenant whose suspension has ended, by the database's clock. Skips tenants locked by another worker, so that no
 * tenant is reactivated twice. Undefined without such a tenant.
 */
export async function lockEndedSuspension(trx: Transaction<Database>) {
  return await trx
    .selectFrom('tenants')
    .select(['id', 'name', 'suspension_reason', 'suspended_until'])
    .where('suspended_until', '<=', sql<string>`now()`)
    .orderBy('suspended_until')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function reactivateTenant(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable('tenants')
    .set({ status: 'active', suspension_reason: null, suspended_at: null, suspended_until: null })
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
