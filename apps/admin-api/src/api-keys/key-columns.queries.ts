import { apiKey } from '@switchboard/contract/api-keys'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { type ApiKeyRow, RECENT_CALL_DAYS, type RecentCalls } from '@switchboard/contract/api-keys/key-list'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import * as z from 'zod/mini'
import { refusalsOfKey } from '@switchboard/database/attention/attention.queries'

// The columns of a key, for rows of `api_keys`.

/** The stored columns of a key. The last use is at most an hour behind. */
export const KEY_COLUMNS = z.keyof(
  z.omit(apiKey, {
    tenant_status: true,
    rotated_to: true,
    calls_since_rotation: true,
    refused_since_end: true,
    refusals: true,
  }),
).options

/** Number of checks of a key with one of these outcomes. */
export const checksOfKey = (...outcomes: KeyOutcome[]) => sql<number>`(
  select coalesce(sum(count), 0) from api_key_calls
  where api_key_id = api_keys.id and outcome in (${sql.join(outcomes)})
)`

const tenantStatus = sql<TenantStatus>`(select status from tenants where tenants.id = api_keys.tenant_id)`

/** The live successor; the database allows at most one. */
const rotatedTo = sql<string | null>`(
  select successor.id from api_keys as successor
  where successor.rotated_from = api_keys.id and successor.revoked_at is null
)`

/** All calls of a successor are later than the rotation. */
const callsSinceRotation = sql<number | null>`case when rotated_at is not null or rotated_from is not null then
  ${checksOfKey('valid')} - coalesce(calls_before_rotation, 0)
end`

/** Keys are live when rotated, so all refusals as revoked or expired are later than the end of the grace period. */
const refusedSinceEnd = sql<
  number | null
>`case when rotated_at is not null then ${checksOfKey('expired', 'revoked')} end`

/** The computed columns of a key. */
export const COMPUTED_KEY_COLUMNS = [
  tenantStatus.as('tenant_status'),
  rotatedTo.as('rotated_to'),
  callsSinceRotation.as('calls_since_rotation'),
  refusedSinceEnd.as('refused_since_end'),
  refusalsOfKey.as('refusals'),
]

/** For rows of `api_key_calls`: the calls of a key on the recent days. */
const isRecentCall = sql<SqlBool>`(
  api_key_id = api_keys.id
  and since >= date_trunc('day', now(), 'UTC') - ${sql.lit(RECENT_CALL_DAYS - 1)} * interval '1 day'
)`

/** The accepted and refused calls of the recent days, oldest first. */
export const recentCalls = sql<RecentCalls>`(
  select json_agg(
    json_build_object('accepted', coalesce(accepted, 0), 'refused', coalesce(refused, 0)) order by ago desc
  )
  from generate_series(0, ${sql.lit(RECENT_CALL_DAYS - 1)}) as ago
  left join (
    select (now() at time zone 'UTC')::date - (since at time zone 'UTC')::date as ago,
      sum(count) filter (where outcome = 'valid') as accepted, sum(count) filter (where outcome <> 'valid') as refused
    from api_key_calls where ${isRecentCall} group by 1
  ) as counted using (ago)
)`

/** Number of accepted calls of the recent days. */
export const callsOfKey = recentSum(sql`outcome = 'valid'`)
/** Number of refused calls of the recent days. */
export const refusedOfKey = recentSum(sql`outcome <> 'valid'`)

function recentSum(isCounted: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
    select coalesce(sum(count) filter (where ${isCounted}), 0)::bigint from api_key_calls where ${isRecentCall}
  )`
}

const MOMENTS: ReadonlySet<string> = new Set<keyof ApiKeyRow>([
  'created_at',
  'updated_at',
  'last_used_at',
  'expires_at',
  'rotated_at',
  'grace_ends_at',
  'original_expires_at',
  'revoked_at',
  'reported_at',
])

/** The keys that a key has replaced, one after the other, newest first. */
export const oldKeys = sql<ApiKeyRow['old_keys']>`case when rotated_from is null then '[]'::json else (
  with recursive old as (
    select previous.* from api_keys as previous where previous.id = api_keys.rotated_from
    union all
    select previous.* from old join api_keys as previous
    on previous.id = old.rotated_from
  )
  select coalesce(json_agg(old_key), '[]') from (
    select ${sql.join([
      ...KEY_COLUMNS.map((column) => (MOMENTS.has(column) ? isoTime(sql.ref(column)) : sql.ref(column)).as(column)),
      ...COMPUTED_KEY_COLUMNS,
      recentCalls.as('recent_calls'),
    ])}
    from old as api_keys order by api_keys.created_at desc, api_keys.id desc
  ) as old_key
) end`

/** Times in JSON are text, in the driver's format. */
export function isoTime(time: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
