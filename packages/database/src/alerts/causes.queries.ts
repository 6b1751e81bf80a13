import { EXPIRING_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import type { AlertKind } from '@switchboard/contract/signals/alerts'
import { LATE_AFTER_MINUTES } from '@switchboard/contract/tasks/task-state'
import { type RawBuilder, sql } from 'kysely'
import { expiresSoon, hasNoActiveAdmin, isNewLowRating, isReported } from '#src/attention/attention.queries.ts'
import { secondsBehind } from '#src/audit/log-sinks.queries.ts'
import { lateTasks } from '#src/attention/task-state.queries.ts'

/** What an alert is about. `cause` tells two alerts of a kind apart. */
export type Cause = {
  cause: string
  text: string
  target_type: 'tenant' | 'user' | 'api_key' | 'task' | 'webhook' | 'log_sink' | null
  target_id: string | null
  target_name: string | null
  tenant_id: string | null
}

/** The kinds whose causes are found by one statement. */
export type FoundKind = Exclude<AlertKind, 'worker_silent' | 'chain_broken' | 'new_sign_in' | 'access_changed'>

/** How long an expired key that nobody mends stays an alert. */
const EXPIRED_DAYS = 7
/** Days before its expiry at which a key alerts again. */
const LAST_DAYS = 3

/** This hour and the one before: calls are counted by hour. */
const IS_RECENT_CALL = sql`since >= date_trunc('hour', now(), 'UTC') - interval '1 hour'`

const NUMBER = 'FM999,999,999,999,999'

/** Statements whose rows are the present causes of a kind, as `Cause`. */
export const CAUSES = {
  key_leaked: () => sql`
    select api_keys.id::text as cause,
      format('The API key “%s” of %s was reported as leaked.', api_keys.name, tenants.name) as text, ${KEY}
    from api_keys join tenants on tenants.id = tenant_id where ${isReported}`,

  keys_refused: (least) => sql`
    select tenants.id::text as cause,
      format('All calls of %s are refused: %s in this hour and the one before.', name, to_char(refused, ${NUMBER})) as text,
      ${TENANT}
    from (
      select tenant_id, sum(count) as refused from api_key_calls join api_keys on api_keys.id = api_key_id
      where outcome <> 'valid' and ${IS_RECENT_CALL} and api_keys.environment = 'live'
      group by tenant_id having sum(count) >= ${least}
    ) as refusing
    join tenants on tenants.id = refusing.tenant_id
    where status = 'active' and not exists (
      select from api_keys join api_key_calls on api_key_id = api_keys.id
      where api_keys.tenant_id = tenants.id and api_keys.environment = 'live' and outcome = 'valid' and ${IS_RECENT_CALL}
    )`,

  refusals_high: (least) => sql`
    select api_keys.id::text as cause,
      format(
        '%s calls of the API key “%s” of %s were refused in this hour and the one before.',
        to_char(refused, ${NUMBER}), api_keys.name, tenants.name
      ) as text,
      ${KEY}
    from (
      select api_key_id, sum(count) as refused from api_key_calls where outcome <> 'valid' and ${IS_RECENT_CALL}
      group by api_key_id having sum(count) >= ${least}
    ) as refusing
    join api_keys on api_keys.id = api_key_id
    join tenants on tenants.id = tenant_id
    where environment = 'live' and status = 'active'`,

  key_expiring: () => sql`
    select api_keys.id || ' ' || days as cause,
      format(
        case days
          when 0 then 'The API key “%s” of %s expired on %s.'
          else 'The API key “%s” of %s expires within ' || days || ' days, on %s.'
        end,
        api_keys.name, tenants.name, ${timeText(sql`expires_at`)}
      ) as text,
      ${KEY}
    from api_keys
    join tenants on tenants.id = tenant_id
    cross join lateral (
      select case
        when expires_at <= now() then 0
        when expires_at <= now() + ${LAST_DAYS} * interval '1 day' then ${sql.lit(LAST_DAYS)}
        else ${sql.lit(EXPIRING_DAYS)}
      end as days
    ) as stage
    where (${expiresSoon} or ${HAS_EXPIRED}) and tenants.status = 'active'`,

  task_failing: (least) => sql`
    select tasks.id::text as cause,
      case
        -- The reason is "Paused after 3 failures in a row: …".
        when is_paused then format('The task “%s” of %s was %s', ${PLACE}, tenant_name, regexp_replace(paused_reason, '^P', 'p'))
        else format('The task “%s” of %s has failed %s times in a row.', ${PLACE}, tenant_name, failures_in_a_row)
      end as text,
      'task' as target_type, tasks.id as target_id, ${PLACE} as target_name, tenant_id
    from tasks
    where tenant_status = 'active' and (
      (is_paused and paused_reason is not null)
      or (not is_paused and last_outcome = 'failed' and failures_in_a_row >= ${least})
    )`,

  runs_late: (minutes) => sql`
    select 'runs' as cause,
      format(
        '%s for more than %s minutes.',
        case count(*) when 1 then 'One run is late' else to_char(count(*), ${NUMBER}) || ' runs are late' end,
        greatest(${minutes}::int, ${sql.lit(LATE_AFTER_MINUTES)})
      ) as text,
      ${NOTHING}
    from ${lateTasks} as late where at <= now() - ${minutes} * interval '1 minute' having count(*) > 0`,

  tenant_without_admin: () => sql`
    select tenants.id::text as cause, format('%s has no active admin.', name) as text, ${TENANT}
    from tenants where ${hasNoActiveAdmin} and created_at < now() - interval '1 day'`,

  low_rating: (most) => sql`
    select reviews.id::text as cause,
      format(
        '“%s” of %s got a review with %s.', ${PLACE}, tenant_name,
        case rating when 1 then '1 star' else rating::float8 || ' stars' end
      ) as text,
      'task' as target_type, tasks.id as target_id, ${PLACE} as target_name, tenant_id
    from reviews join tasks on tasks.id = task_id where ${isNewLowRating} and rating <= ${most}`,

  backup_late: (hours) => sql`
    select 'backup' as cause,
      case
        when failed.problem is not null then format('The last %s failed: %s', failed.kind, failed.problem)
        when newest_at is null then 'No backup is recorded.'
        else format(
          'The newest backup is %s hours old.', to_char(floor(extract(epoch from now() - newest_at) / 3600), ${NUMBER})
        )
      end as text,
      ${NOTHING}
    from (select max(at) as newest_at from backups where kind = 'backup' and problem is null) as newest
    left join (
      select kind, problem from (select distinct on (kind) * from backups order by kind, id desc) as last
      where problem is not null order by id desc limit 1
    ) as failed on true
    where failed.problem is not null
      or coalesce(newest_at, (select min(applied_at) from migrations)) < now() - ${hours} * interval '1 hour'`,

  // The newest mails of the last day, up to three, all have a problem. One alone may have had a wrong address.
  mail_failing: () => sql`
    select 'mail' as cause, format('Mail is not sent: %s', (array_agg(problem order by at desc))[1]) as text, ${NOTHING}
    from (
      select at, state, problem
      from (
        select created_at as at, mail_state as state, mail_problem as problem from links
        union all select first_at, mail_state, mail_problem from known_devices
        union all select changed_at, mail_state, mail_problem from account_notices
        union all select created_at, mail_state, mail_problem from alert_mails
      ) as mails
      where at > now() - interval '1 day' and (state = 'sent' or problem is not null) order by at desc limit 3
    ) as newest
    having bool_and(state <> 'sent' and problem is not null) and count(*) >= 2`,

  webhook_failing: (minutes) => sql`
    select id || case when is_active then ' failing' else ' off' end as cause,
      format(
        case
          when is_active then 'Deliveries to the webhook %s have failed since %s.'
          when disabled_reason = 'gone' then 'The webhook %s was switched off: its receiver is gone.'
          else 'The webhook %s was switched off: no delivery succeeded for three days.'
        end,
        ${WEBHOOK_NAME}, ${timeText(sql`failing_since`)}
      ) as text,
      'webhook' as target_type, id as target_id, ${WEBHOOK_NAME} as target_name, null::uuid as tenant_id
    from webhooks
    where case when is_active then failing_since <= now() - ${minutes} * interval '1 minute' else disabled_reason is not null end`,

  log_sink_late: (minutes) => sql`
    select id || case when is_failing then ' failing' else ' late' end as cause,
      case
        when is_failing then format(
          'The log sink “%s” has failed since %s: %s', name, ${timeText(sql`failing_since`)}, problem
        )
        else format(
          'The log sink “%s” is %s minutes behind the audit log.', name, to_char(seconds_behind / 60, ${NUMBER})
        )
      end as text,
      'log_sink' as target_type, id as target_id, name as target_name, null::uuid as tenant_id
    from (
      select id, name, failing_since, problem, ${secondsBehind} as seconds_behind,
        coalesce(failing_since <= now() - ${minutes} * interval '1 minute', false) as is_failing
      from log_sinks left join audit_log as next on next.seq = log_sinks.position + 1
      where is_on
    ) as sinks
    where is_failing or seconds_behind >= ${minutes} * 60`,
} satisfies Record<FoundKind, (threshold: number | null) => RawBuilder<Cause>>

/** For rows of `alerts` whose cause is gone: nobody mended it, it only became old. */
export const isOutdated = sql<boolean>`(
  alerts.kind = 'key_expiring' and alerts.cause like '% 0'
  and alerts.opened_at < now() - ${sql.lit(EXPIRED_DAYS)} * interval '1 day' + interval '1 hour'
)`

/** Causes that were found outside of the database. */
export function givenCauses(causes: readonly Cause[]): RawBuilder<Cause> {
  return sql`select * from jsonb_to_recordset(${JSON.stringify(causes)}::jsonb) as given (
    cause text, text text, target_type text, target_id uuid, target_name text, tenant_id uuid
  )`
}

/** The description of a webhook, or without one its address. */
export const WEBHOOK_NAME = sql<string>`coalesce(nullif(webhooks.description, ''), webhooks.url)`

const HAS_EXPIRED = sql<boolean>`(
  api_keys.is_active and api_keys.environment = 'live' and api_keys.grace_ends_at is null and not api_keys.is_replaced
  and api_keys.expires_at <= now() and api_keys.expires_at > now() - ${sql.lit(EXPIRED_DAYS)} * interval '1 day'
)`

const KEY = sql`'api_key' as target_type, api_keys.id as target_id, api_keys.name as target_name, api_keys.tenant_id`

const TENANT = sql`'tenant' as target_type, tenants.id as target_id, tenants.name as target_name, tenants.id as tenant_id`

const NOTHING = sql`null::text as target_type, null::uuid as target_id, null::text as target_name, null::uuid as tenant_id`

function timeText(moment: RawBuilder<unknown>) {
  return sql`to_char(${moment} at time zone 'UTC', 'FMDD FMMonth YYYY, HH24:MI "UTC"')`
}

const PLACE = sql`coalesce(extra_data ->> 'place_name', extra_data ->> 'place_id')`
