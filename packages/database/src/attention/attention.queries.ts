import type { KeyAttention } from '@switchboard/contract/api-keys/key-list'
import { EXPIRING_DAYS, type KeyRefusals, REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import type { TenantAttention } from '@switchboard/contract/tenants'
import { LOW_RATING_DAYS, LOW_RATING_MAX, NEW_REVIEW_AGE_MAX_DAYS } from '@switchboard/contract/reviews/low-ratings'
import { type RawBuilder, sql } from 'kysely'

// Conditions of records that need attention, by the clock of the database. The dashboard counts them and the lists filter
// by them. Of test keys, only reported ones need attention.

/** For rows of `tenants`: no active user has the role admin. */
export const hasNoActiveAdmin = sql<boolean>`(tenants.status = 'active' and tenants.active_admin_count = 0)`

/** For rows of `api_keys`: a key that was reported as leaked and has not ended. */
export const isReported = sql<boolean>`(
  api_keys.reported_at is not null and api_keys.revoked_at is null
  and (api_keys.expires_at is null or api_keys.expires_at > now())
)`

/** For rows of `api_keys`: a live key with the state `expiring`, unless the tenant is inactive. */
export const expiresSoon = sql<boolean>`(
  api_keys.is_active and api_keys.environment = 'live' and api_keys.grace_ends_at is null and api_keys.expires_at > now()
  and api_keys.expires_at <= now() + interval '${sql.raw(String(EXPIRING_DAYS))} days'
)`

/** For rows of `api_key_calls`: refusals of the last `REFUSED_DAYS` UTC days. */
const isRecentRefusal = sql<boolean>`(
  outcome <> 'valid' and since >= date_trunc('day', now(), 'UTC') - ${sql.lit(REFUSED_DAYS - 1)} * interval '1 day'
)`

/** For rows of `api_keys`: a live key with refusals in the last `REFUSED_DAYS` days. */
const isRefused = sql<boolean>`(
  api_keys.environment = 'live'
  and api_keys.id in (select api_key_id from api_key_calls where ${isRecentRefusal})
)`

/** Refusals of a key, for rows with `refused`, `outcome` and `rotated_at`. */
const REFUSALS = sql`json_build_object(
  'count', refused, 'outcome', outcome,
  'is_replaced', rotated_at is not null and outcome in ('expired', 'revoked')
)`

/** Live keys refused in the last `REFUSED_DAYS` days: `(id, tenant_id, refused, refusals)`. */
export const refusedKeys = refusedAmong(isRecentRefusal)

/** The refused keys of one tenant. */
export function refusedKeysOf(tenantId: string) {
  return refusedAmong(
    sql`${isRecentRefusal} and api_key_id in (select api_keys.id from api_keys where tenant_id = ${tenantId})`,
  )
}

function refusedAmong(condition: RawBuilder<unknown>) {
  return sql`(
  select api_keys.id, tenant_id, refused, ${REFUSALS} as refusals
  from (
    select api_key_id, sum(count)::int as refused, (array_agg(outcome order by count desc, outcome))[1] as outcome
    from (
      select api_key_id, outcome, sum(count) as count from api_key_calls where ${condition} group by 1, 2
    ) as by_outcome
    group by api_key_id
  ) as counted
  join api_keys on api_keys.id = api_key_id
  where environment = 'live'
)`
}

/** For rows of `api_keys`: refusals of the last `REFUSED_DAYS` days, or null. */
export const refusalsOfKey = sql<KeyRefusals | null>`(
  select ${REFUSALS}
  from (
    select outcome, sum(sum(count)) over () as refused from api_key_calls
    where api_key_id = api_keys.id and ${isRecentRefusal}
    group by outcome order by sum(count) desc, outcome limit 1
  ) as most_frequent
)`

/** For rows of `reviews`: a new low rating. The first condition is the one of the partial index. */
export const isNewLowRating = sql<boolean>`(
  reviews.rating <= ${sql.lit(LOW_RATING_MAX)}
  and reviews.first_seen_at > now() - interval '${sql.raw(String(LOW_RATING_DAYS))} days'
  and (
    reviews.publish_time is null
    or reviews.publish_time > reviews.first_seen_at - interval '${sql.raw(String(NEW_REVIEW_AGE_MAX_DAYS))} days'
  )
)`

/** The condition of an attention filter, for rows of `tenants`. */
export function needsAttention(attention: TenantAttention) {
  if (attention === 'no_active_admin') return hasNoActiveAdmin
  if (attention === 'reviews_low')
    return sql<boolean>`tenants.id in (
      select tenant_id from tasks where tasks.id in (select task_id from reviews where ${isNewLowRating})
    )`
  if (attention === 'keys_expiring')
    return sql<boolean>`(
      tenants.status = 'active' and tenants.id in (select tenant_id from api_keys where ${expiresSoon})
    )`
  return sql<boolean>`tenants.id in (
    select tenant_id from api_keys where ${attention === 'keys_reported' ? isReported : isRefused}
  )`
}

/** Whether an attention filter is about the keys or the reviews of tenants. */
export function isOfRecords(attention: TenantAttention | undefined): boolean {
  return attention !== undefined && attention !== 'no_active_admin'
}

/** The condition of an attention filter, for rows of `api_keys`. Few keys expire, so each looks up its tenant. */
export function keyNeedsAttention(attention: KeyAttention) {
  if (attention === 'keys_refused') return isRefused
  if (attention === 'keys_reported') return isReported
  return sql<boolean>`(
    ${expiresSoon} and (select status from tenants where tenants.id = api_keys.tenant_id) = 'active'
  )`
}
