import { type ApiKey, apiKey, type ApiKeyDay, type ApiKeyListQuery, USAGE_DAYS } from '@switchboard/contract/api-keys'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import * as z from 'zod/mini'
import { keyNeedsAttention, refusalsOfKey } from '#src/attention/attention.queries.ts'
import { contains, isSearch } from '#src/lists/search.queries.ts'

const COLUMNS = z.keyof(
  z.omit(apiKey, {
    rotated_to: true,
    last_used_at: true,
    calls_since_rotation: true,
    refused_since_end: true,
    refusals: true,
  }),
).options

/** Number of checks of a key with this outcome. */
const countOf = (...outcomes: KeyOutcome[]) => sql<number>`(
  select coalesce(sum(count), 0) from api_key_outcomes
  where api_key_id = api_keys.id and outcome in (${sql.join(outcomes)})
)`

/** The live successor; the database allows at most one. */
const rotatedTo = sql<string | null>`(
  select successor.id from api_keys as successor
  where successor.rotated_from = api_keys.id and successor.revoked_at is null
)`.as('rotated_to')

/** Time of the last accepted check. */
const lastUsedAt = sql<string | null>`(
  select last_at from api_key_outcomes where api_key_id = api_keys.id and outcome = 'valid' order by day desc limit 1
)`.as('last_used_at')

/** All calls of a successor are later than the rotation. */
const callsSinceRotation = sql<number | null>`case when rotated_at is not null or rotated_from is not null then
  ${countOf('valid')} - coalesce(calls_before_rotation, 0)
end`.as('calls_since_rotation')

/** Keys are live when rotated, so all refusals as revoked or expired are later than the end of the grace period. */
const refusedSinceEnd = sql<
  number | null
>`case when rotated_at is not null then ${countOf('expired', 'revoked')} end`.as('refused_since_end')

const COMPUTED = [rotatedTo, lastUsedAt, callsSinceRotation, refusedSinceEnd, refusalsOfKey.as('refusals')]

/** The keys of a tenant, newest first, without deleted keys. */
export async function keysOfTenant(db: Kysely<Database>, tenantId: string): Promise<ApiKey[]> {
  return await undeletedKeys(db)
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The matching keys by the names of their tenants, the keys of a tenant newest first. */
export function keysOfTenants(db: Kysely<Database>, { q, tenant_id, attention }: ApiKeyListQuery) {
  const tenants = db
    .selectFrom('tenants')
    .select(['id as owner_id', 'name as tenant_name'])
    .$if(tenant_id !== undefined, (matching) => matching.where('id', '=', tenant_id ?? ''))
    .$if(isSearch(q), (matching) => matching.where(contains(q ?? '')))
  return db
    .selectFrom('api_keys')
    .innerJoin(tenants.as('owner'), (join) => join.onRef('owner_id', '=', 'api_keys.tenant_id'))
    .select(COLUMNS)
    .select(lastUsedAt)
    .select('tenant_name')
    .where('deleted_at', 'is', null)
    .$if(attention !== undefined, (matching) => matching.where(keyNeedsAttention(attention ?? 'keys_expiring')))
    .orderBy('tenant_name')
    .orderBy('owner_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

export async function apiKeyById(db: Kysely<Database>, id: string): Promise<ApiKey | undefined> {
  return await undeletedKeys(db).where('id', '=', id).executeTakeFirst()
}

function undeletedKeys(db: Kysely<Database>) {
  return db.selectFrom('api_keys').select(COLUMNS).select(COMPUTED).where('deleted_at', 'is', null)
}

export async function tenantOfKeys(db: Kysely<Database>, id: string) {
  return await db.selectFrom('tenants').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
}

/** Locks the tenant, because every change of a key also changes the tenant's counts, then the key. */
export async function lockApiKey(trx: Transaction<Database>, id: string): Promise<ApiKey | undefined> {
  const found = await trx.selectFrom('api_keys').select('tenant_id').where('id', '=', id).executeTakeFirst()
  if (found === undefined) return undefined
  await lockOwningTenant(trx, found.tenant_id)
  return await undeletedKeys(trx).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function insertApiKey(trx: Transaction<Database>, key: Insertable<Database['api_keys']>): Promise<ApiKey> {
  return await trx.insertInto('api_keys').values(key).returning(COLUMNS).returning(COMPUTED).executeTakeFirstOrThrow()
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
    .returning(COLUMNS)
    .returning(COMPUTED)
    .executeTakeFirstOrThrow()
}

/** Stores the number of accepted checks before a rotation. */
export async function storeCallsBeforeRotation(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ calls_before_rotation: countOf('valid') })
    .where('id', '=', id)
    .execute()
}

/** Counts of the last 30 days (UTC) up to `at`, oldest first. */
export async function usageOfKey(db: Kysely<Database>, id: string, at: Date): Promise<ApiKeyDay[]> {
  const { rows } = await sql<ApiKeyDay>`
    select days.day, coalesce(jsonb_object_agg(outcome, count) filter (where outcome is not null), '{}') as counts
    from (
      select (${at}::timestamptz at time zone 'UTC')::date - ago as day
      from generate_series(0, ${sql.lit(USAGE_DAYS - 1)}) as ago
    ) as days
    left join api_key_outcomes on api_key_id = ${id} and api_key_outcomes.day = days.day
    group by days.day order by days.day`.execute(db)
  return rows
}
