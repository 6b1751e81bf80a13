import type { Database } from '@switchboard/database/tables'
import { sql, type Transaction } from 'kysely'

/**
 * Locks keys that have expired, by the database's clock, and whose expiry is not noted yet. Skips keys locked by another
 * worker, so that no expiry is noted twice. The conditions are those of the index `api_keys_unnoted_expiry`.
 */
export async function lockExpiredKeys(trx: Transaction<Database>, most: number) {
  return await trx
    .selectFrom('api_keys')
    .select(['id', 'name', 'tenant_id', 'grace_ends_at'])
    .where('expires_at', '<=', sql<string>`now()`)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`noted_expiry is distinct from expires_at`)
    .orderBy('expires_at')
    .limit(most)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
}

export async function noteExpiry(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ noted_expiry: sql<Date>`expires_at` })
    .where('id', 'in', ids)
    .execute()
}
