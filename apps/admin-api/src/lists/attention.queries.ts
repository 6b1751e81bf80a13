import { type KeyAttention } from '@switchboard/contract/api-keys'
import { EXPIRING_DAYS, REFUSED_DAYS, REFUSED_OFTEN } from '@switchboard/contract/key-outcomes'
import { LATE_AFTER_MINUTES } from '@switchboard/contract/tasks'
import type { TenantAttention } from '@switchboard/contract/tenants'
import { sql } from 'kysely'

// What needs attention, by the database's clock: the dashboard counts by the same rules by which the lists filter.

/** Of all refusals of the last days only so many are looked at, the latest: more in one week say the same. */
const REFUSALS_READ_MAX = 5_000

/** For rows of `tenants`. */
export const hasNoActiveAdmin = sql<boolean>`(tenants.status = 'active' and tenants.active_admin_count = 0)`

/** For rows of `api_keys`. A replaced key is to end. */
export const isExpiring = sql<boolean>`(
  api_keys.is_active and api_keys.grace_ends_at is null and api_keys.expires_at > now()
  and api_keys.expires_at <= now() + interval '${sql.raw(String(EXPIRING_DAYS))} days'
)`

/**
 * The keys that are refused often, and the replaced ones that were tried after their end: `(id, refused, outcome,
 * is_replaced)`, of which `outcome` is the most frequent.
 */
export const refusedKeys = sql`(
  select api_keys.id, sum(count)::int as refused, (array_agg(outcome order by count desc))[1] as outcome,
    coalesce(rotated_at is not null and bool_or(outcome in ('expired', 'revoked')), false) as is_replaced
  from (
    select api_key_id, outcome, count from api_key_outcomes
    where outcome <> 'valid' and day > (now() at time zone 'UTC')::date - ${sql.lit(REFUSED_DAYS)}
    order by day desc limit ${sql.lit(REFUSALS_READ_MAX)}
  ) as refusals
  join api_keys on api_keys.id = api_key_id
  where deleted_at is null
  group by api_keys.id
  having sum(count) >= ${sql.lit(REFUSED_OFTEN)}
    or rotated_at is not null and bool_or(outcome in ('expired', 'revoked'))
)`

/** The tasks whose time came a while ago and that nobody has begun to run: `(id, at)`, the time that has passed. */
export const lateTasks = sql`(
  select id, next_run as at from tasks where next_run <= ${lateSince()}
  union all
  select task_id, created_at from task_runs where outcome = 'queued' and created_at <= ${lateSince()}
)`

function lateSince() {
  return sql`now() - interval '${sql.raw(String(LATE_AFTER_MINUTES))} minutes'`
}

/** For rows of `tenants`: what the list is narrowed to. */
export function needsAttention(attention: TenantAttention) {
  if (!isOfKeys(attention)) return hasNoActiveAdmin
  return sql<boolean>`tenants.id in (select tenant_id from api_keys where ${keyNeedsAttention(attention)})`
}

/** Whether tenants are found by their keys. */
export function isOfKeys(attention: TenantAttention | undefined): attention is KeyAttention {
  return attention !== undefined && attention !== 'no_active_admin'
}

/** For rows of `api_keys`: what they are narrowed to. */
export function keyNeedsAttention(attention: KeyAttention) {
  if (attention === 'keys_expiring') return isExpiring
  return sql<boolean>`api_keys.id in (select id from ${refusedKeys} as refused)`
}
