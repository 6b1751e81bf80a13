import type { ApiKey } from '@switchboard/contract/api-keys'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import type { Insertable, Kysely, Transaction, Updateable } from 'kysely'
import { checksOfKey, COMPUTED_KEY_COLUMNS, KEY_COLUMNS } from './key-columns.queries.ts'

/** The keys of a tenant, newest first. */
export async function keysOfTenant(db: Kysely<Database>, tenantId: string): Promise<ApiKey[]> {
  return await allKeys(db)
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function apiKeyById(db: Kysely<Database>, id: string): Promise<ApiKey | undefined> {
  return await allKeys(db).where('id', '=', id).executeTakeFirst()
}

function allKeys(db: Kysely<Database>) {
  return db.selectFrom('api_keys').select(KEY_COLUMNS).select(COMPUTED_KEY_COLUMNS)
}

export async function tenantOfKeys(db: Kysely<Database>, id: string) {
  return await db.selectFrom('tenants').select(['id', 'name', 'status']).where('id', '=', id).executeTakeFirst()
}

/** Locks the tenant first, because every change of a key also changes the tenant's counts, and then the key. */
export async function lockApiKey(trx: Transaction<Database>, id: string): Promise<ApiKey | undefined> {
  const found = await trx.selectFrom('api_keys').select('tenant_id').where('id', '=', id).executeTakeFirst()
  if (found === undefined) return undefined
  await lockOwningTenant(trx, found.tenant_id)
  return await allKeys(trx).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function insertApiKey(trx: Transaction<Database>, key: Insertable<Database['api_keys']>): Promise<ApiKey> {
  return await trx
    .insertInto('api_keys')
    .values(key)
    .returning(KEY_COLUMNS)
    .returning(COMPUTED_KEY_COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function updateApiKeyRow(
  trx: Transaction<Database>,
  id: string,
  changes: Updateable<Database['api_keys']>,
): Promise<ApiKey> {
  return await trx
    .updateTable('api_keys')
    .set(changes)
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returning(KEY_COLUMNS)
    .returning(COMPUTED_KEY_COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Stores the number of accepted checks before a rotation. */
export async function storeCallsBeforeRotation(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ calls_before_rotation: checksOfKey('valid') })
    .where('id', '=', id)
    .execute()
}
