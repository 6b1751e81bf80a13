import type { Transaction } from 'kysely'
import type { Database } from './tables.ts'

/**
 * Locks a tenant before a change of its users, keys or tasks. Deleting a tenant locks in the same order, which prevents
 * deadlocks. Undefined for an unknown tenant.
 */
export async function lockOwningTenant(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('tenants')
    .select(['id', 'name', 'api_key_count'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
