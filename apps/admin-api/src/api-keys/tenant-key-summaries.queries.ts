import type { TenantKeySummary } from '@switchboard/contract/api-keys/tenant-key-summaries'
import type { KeyState } from '@switchboard/contract/api-keys/key-state'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { callsOfKey, refusedOfKey } from './key-columns.queries.ts'
import { stateOfKey } from './key-state.queries.ts'

/** The summaries of the tenants that have keys. */
export async function tenantKeySummaries(
  db: Kysely<Database>,
  tenantIds: readonly string[],
): Promise<TenantKeySummary[]> {
  const states = sql`array_agg(distinct ${stateOfKey}) filter (where not is_replaced)`
  return await db
    .selectFrom('api_keys')
    .select('tenant_id')
    .select([
      sql<number>`sum(${callsOfKey})::bigint`.as('accepted'),
      sql<number>`sum(${refusedOfKey})::bigint`.as('refused'),
      sql<KeyState | null>`(case when cardinality(${states}) = 1 then (${states})[1] end)`.as('state'),
    ])
    .where(sql<boolean>`tenant_id = any(${tenantIds}::uuid[])`)
    .groupBy('tenant_id')
    .execute()
}
