import type { TenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { isWorkingInActiveTenant } from './key-state.queries.ts'
import { isoTime } from './key-columns.queries.ts'

/**
 * Counts the live keys that work while the tenant is active, and returns the last accepted call with one of them, at most an
 * hour behind.
 */
export async function countKeysInUse(
  db: Kysely<Database>,
  tenantId: string,
): Promise<Pick<TenantHealth, 'working_key_count' | 'last_used_at'>> {
  return await db
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('working_key_count'))
    .select(isoTime(sql`max(last_used_at)`).as('last_used_at'))
    .where('tenant_id', '=', tenantId)
    .where('environment', '=', 'live')
    .where(isWorkingInActiveTenant)
    .executeTakeFirstOrThrow()
}

/**
 * Calls with live keys refused because the tenant is inactive, since the day of `since` in UTC. Calls of this month may be
 * folded: then all such calls of the month count.
 */
export async function refusedByStatus(db: Kysely<Database>, tenantId: string, since: string): Promise<number> {
  const { refused } = await db
    .selectFrom('api_key_calls')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_id')
    .select(sql<number>`coalesce(sum(count), 0)::int`.as('refused'))
    .where('tenant_id', '=', tenantId)
    .where('api_keys.environment', '=', 'live')
    .where('outcome', '=', 'tenant_inactive')
    .where(sql<boolean>`since >= date_trunc('month', ${since}::timestamptz, 'UTC')`)
    .where(sql<boolean>`last_at >= date_trunc('day', ${since}::timestamptz, 'UTC')`)
    .executeTakeFirstOrThrow()
  return refused
}

/** The number of tasks of a tenant that are not paused. */
export async function countScheduledTasks(db: Kysely<Database>, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('tasks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant_id', '=', tenantId)
    .where('is_paused', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

/** The number of stored reviews of a tenant, at most `TOTAL_EXACT_MAX + 1`. */
export async function countReviewsOf(db: Kysely<Database>, tenantId: string): Promise<number> {
  const stored = sql`(
    select from reviews join tasks on tasks.id = task_id where tenant_id = ${tenantId} limit ${TOTAL_EXACT_MAX + 1}
  )`
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${stored} as stored`.execute(db)
  return rows[0]?.count ?? 0
}
