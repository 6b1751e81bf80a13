import { NOT_DELETED } from '#src/lists/deletions/deletions.queries.ts'
import { type ApiKeyDay, type ApiKeyHour, DIAGNOSIS_HOURS } from '@switchboard/contract/api-keys/key-calls'
import { REFUSED_ORIGINS_MAX } from '@switchboard/contract/api-keys/key-diagnosis'
import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { COMPUTED_KEY_COLUMNS, KEY_COLUMNS, oldKeys, recentCalls } from './key-columns.queries.ts'

/** A key as a row of the list, with the keys that it has replaced. */
export async function apiKeyRowById(db: Kysely<Database>, id: string): Promise<ApiKeyRow | undefined> {
  return await db
    .selectFrom('api_keys')
    .select(KEY_COLUMNS)
    .select(COMPUTED_KEY_COLUMNS)
    .select([recentCalls.as('recent_calls'), oldKeys.as('old_keys'), NOT_DELETED])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The exact time of the last accepted check; null for a key that was never used. */
export async function lastUseOfKey(db: Kysely<Database>, id: string): Promise<string | null> {
  const { at } = await db
    .selectFrom('api_key_calls')
    .select(sql<string | null>`max(last_at)`.as('at'))
    .where('api_key_id', '=', id)
    .where('outcome', '=', 'valid')
    .executeTakeFirstOrThrow()
  return at
}

/** The ids of keys, for `in`. */
type KeyIds = RawBuilder<unknown>

export function oneKey(id: string): KeyIds {
  return sql`(${id}::uuid)`
}

export function liveKeysOfTenant(tenantId: string): KeyIds {
  return sql`(select api_keys.id from api_keys where tenant_id = ${tenantId} and environment = 'live')`
}

/** Counts of the last 24 hours up to `at`, oldest first. */
export async function hoursOfKeys(db: Kysely<Database>, keys: KeyIds, at: Date): Promise<ApiKeyHour[]> {
  const { rows } = await sql<ApiKeyHour>`
    select hours.at, coalesce(jsonb_object_agg(outcome, count) filter (where outcome is not null), '{}') as counts
    from (
      select date_trunc('hour', ${at}::timestamptz) - ago * interval '1 hour' as at
      from generate_series(0, ${sql.lit(DIAGNOSIS_HOURS - 1)}) as ago
    ) as hours
    left join (
      select since, outcome, sum(count) as count from api_key_calls
      where api_key_id in ${keys} and since > ${at}::timestamptz - ${sql.lit(DIAGNOSIS_HOURS)} * interval '1 hour'
      group by since, outcome
    ) as counted on since = hours.at
    group by hours.at order by hours.at`.execute(db)
  return rows
}

/** Counts of the last UTC days up to `at`, oldest first. */
export async function daysOfKeys(
  db: Kysely<Database>,
  keys: KeyIds,
  { at, count }: { at: Date; count: number },
): Promise<ApiKeyDay[]> {
  const { rows } = await sql<ApiKeyDay>`
    select days.day, coalesce(jsonb_object_agg(outcome, count) filter (where outcome is not null), '{}') as counts
    from (
      select (${at}::timestamptz at time zone 'UTC')::date - ago as day
      from generate_series(0, ${sql.lit(count - 1)}) as ago
    ) as days
    left join (
      select (since at time zone 'UTC')::date as day, outcome, sum(count) as count from api_key_calls
      where api_key_id in ${keys}
        and since >= date_trunc('day', ${at}::timestamptz, 'UTC') - ${sql.lit(count - 1)} * interval '1 day'
      group by 1, 2
    ) as counted on counted.day = days.day
    group by days.day order by days.day`.execute(db)
  return rows
}

/** The refused origins of a key, newest first. */
export async function refusedOriginsOfKey(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('api_key_refused_origins')
    .select(['origin', 'count', 'last_at'])
    .where('api_key_id', '=', id)
    .orderBy('last_at', 'desc')
    .orderBy('count', 'desc')
    .orderBy('origin')
    .limit(REFUSED_ORIGINS_MAX)
    .execute()
}

/** When a key was last deactivated. Null for an active key, or one deactivated without an entry in the audit log. */
export async function switchedOffAt(db: Kysely<Database>, id: string): Promise<string | null> {
  return (await lastChangeTo(db, { id, field: 'is_active', value: false }))?.at ?? null
}

/** When and by whom a tenant was last suspended. Null without an entry in the audit log. */
export async function suspensionOf(db: Kysely<Database>, tenantId: string): Promise<Change | null> {
  return await lastChangeTo(db, { id: tenantId, field: 'status', value: 'inactive' })
}

type Change = { at: string; actor_email: string | null }

/** The last audited change of a field, if it has set this value. */
async function lastChangeTo(
  db: Kysely<Database>,
  { id, field, value }: { id: string; field: string; value: unknown },
): Promise<Change | null> {
  const row = await db
    .selectFrom('audit_entries')
    .select(['at', 'actor_email', sql`changes -> ${field}::text -> 'after'`.as('after')])
    .where('target_id', '=', id)
    .where('outcome', '=', 'done')
    .where(sql<boolean>`changes ? ${field}`)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined && row.after === value ? row : null
}
