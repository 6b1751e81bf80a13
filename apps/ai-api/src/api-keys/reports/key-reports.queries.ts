import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'

/** The key with this SHA-256 of its secret, locked after its tenant, as every change locks them. */
export async function lockKeyByHash(trx: Transaction<Database>, hash: Buffer) {
  const found = await trx
    .selectFrom('api_keys')
    .select(['id', 'tenant_id'])
    .where('key_hash', '=', hash)
    .executeTakeFirst()
  if (found === undefined) return undefined
  await lockOwningTenant(trx, found.tenant_id)
  return await trx
    .selectFrom('api_keys')
    .select(['id', 'name', 'tenant_id', 'is_active', 'reported_at'])
    .where('id', '=', found.id)
    .forUpdate()
    .executeTakeFirst()
}

/** Stores the report of a key. */
export async function markReported(
  trx: Transaction<Database>,
  id: string,
  report: { reported_at: Date; reported_url: string | null; is_active: boolean },
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set(report)
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
