import { ATTENTION_COUNT_MAX, ATTENTION_NAMED_MAX, type Attention } from '@switchboard/contract/dashboard'
import { REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  hasNoActiveAdmin,
  expiresSoon,
  isNewLowRating,
  isReported,
  refusedKeys,
  refusedKeysOf,
} from '@switchboard/database/attention/attention.queries'
import { recentCalls } from '#src/api-keys/key-columns.queries.ts'
import { stateOfKey } from '#src/api-keys/key-state.queries.ts'
import { isInState, lateTasks } from '@switchboard/database/attention/task-state.queries'

/**
 * Records that need attention, of all tenants or of one: a count and the most urgent records per kind. A single
 * statement reads a single snapshot.
 */
export async function recordsNeedingAttention(
  db: Kysely<Database>,
  tenantId?: string,
): Promise<Omit<Attention, 'untrusted_proxy'>> {
  const isOf = (column: string) => (tenantId === undefined ? sql`true` : sql`${sql.ref(column)} = ${tenantId}`)
  const { rows } = await sql<Omit<Attention, 'untrusted_proxy'>>`
    with refused as materialized ${tenantId === undefined ? refusedKeys : refusedKeysOf(tenantId)},
      late as materialized ${lateTasks}
    select
      ${group(sql`tenants where ${hasNoActiveAdmin} and ${isOf('tenants.id')}`, {
        named: sql`id, name, admin_count`,
        order: sql`admin_count desc, created_at desc, id desc`,
      })} as tenants_without_admin,
      ${group(sql`api_keys join tenants on tenants.id = tenant_id where ${isReported} and ${isOf('tenant_id')}`, {
        named: sql`${KEY}, api_keys.is_active, ${isoTime('reported_at')}`,
        order: sql`api_keys.reported_at desc, api_keys.id`,
      })} as keys_reported,
      ${group(
        sql`api_keys join tenants on tenants.id = tenant_id
          where ${expiresSoon} and tenants.status = 'active' and ${isOf('tenant_id')}`,
        { named: sql`${KEY}, ${isoTime('expires_at')}`, order: sql`api_keys.expires_at, api_keys.id` },
      )} as keys_expiring,
      ${refusedKeysGroup()} as keys_refused,
      ${group(sql`tasks where ${isInState('failing')} and ${isOf('tenant_id')}`, {
        named: sql`${TASK}, (${lastFailure('message')}) as reason, (${lastFailure('finished_at')}) as at`,
        order: sql`failures_in_a_row desc, tasks.created_at desc, id desc`,
      })} as tasks_failing,
      ${group(sql`tasks where ${isInState('paused')} and ${isOf('tenant_id')}`, {
        named: sql`${TASK}, paused_reason as reason, null as at`,
        order: sql`paused_reason is null, tasks.created_at desc, id desc`,
      })} as tasks_paused,
      ${group(sql`late join tasks using (id) where ${isOf('tenant_id')}`, {
        named: sql`${TASK}, null as reason, ${isoTime('at')}`,
        order: sql`late.at, id`,
      })} as tasks_late,
      ${group(sql`reviews join tasks on tasks.id = task_id where ${isNewLowRating} and ${isOf('tenant_id')}`, {
        named: sql`reviews.id, task_id, tenant_id, tenant_name, ${PLACE}, rating, ${isoTime('first_seen_at')}`,
        order: sql`first_seen_at desc, reviews.id desc`,
      })} as reviews_low`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}

/** Keys of inactive tenants are refused on purpose, so they are only counted. */
function refusedKeysGroup() {
  const from = sql`refused join api_keys using (id, tenant_id) join tenants on tenants.id = tenant_id`
  const listed = group(sql`${from} where tenants.status = 'active'`, {
    named: sql`${KEY}, refusals, ${recentCalls} as recent_calls, ${stateOfKey} as state, ${isoTime('expires_at')},
      allowed_origins, ${isoTime('reported_at')}, (${REFUSED_ORIGIN}) as refused_origin`,
    order: sql`refused desc, api_keys.id`,
  })
  const ofInactiveTenants = sql`(select count(*) from ${from} where tenants.status <> 'active')`
  return sql`(${listed}::jsonb || jsonb_build_object('of_inactive_tenants', ${ofInactiveTenants}))`
}

const REFUSED_ORIGIN = sql`
  select origin from api_key_refused_origins
  where api_key_id = api_keys.id and last_at > now() - interval '${sql.raw(String(REFUSED_DAYS))} days'
  order by count desc, last_at desc, origin limit 1`

/** The number of rows, counted up to `ATTENTION_COUNT_MAX`, and the first rows. */
function group(
  from: RawBuilder<unknown>,
  { named, order }: { named: RawBuilder<unknown>; order: RawBuilder<unknown> },
) {
  return sql`(
    select json_build_object(
      'count', least(count, ${sql.lit(ATTENTION_COUNT_MAX)}), 'is_more', count > ${sql.lit(ATTENTION_COUNT_MAX)},
      'first', (
        select coalesce(json_agg(named), '[]')
        from (select ${named} from ${from} order by ${order} limit ${sql.lit(ATTENTION_NAMED_MAX)}) as named
      )
    )
    from (select count(*) as count from (select from ${from} limit ${sql.lit(ATTENTION_COUNT_MAX + 1)}) as found) as counted
  )`
}

const KEY = sql`api_keys.id, api_keys.name, tenant_id, tenants.name as tenant_name, tenants.status as tenant_status`

const PLACE = sql`extra_data ->> 'place_id' as place_id, extra_data ->> 'place_name' as place_name,
  extra_data ->> 'place_address' as place_address`

const TASK = sql`id, tenant_name, schedule_name, ${PLACE}`

/** Times in JSON are text, in the driver's format. */
function isoTime(column: string) {
  return sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${sql.ref(column)}`
}

function lastFailure(column: 'message' | 'finished_at') {
  const value = column === 'message' ? sql.ref(column) : sql`to_char(finished_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return sql`
    select ${value} from runs where task_id = tasks.id and outcome = 'failed' order by created_at desc limit 1`
}
