import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { prepared } from '@switchboard/database/connection/prepared'
import type { Database } from '@switchboard/database/tables'
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'

const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Everything that a check of a key needs. `refusal` is the first reason to refuse the key from any origin, by the
 * database's clock at load time; `null` when there is none.
 */
export type KeyRecord = {
  /** SHA-256 of the secret, in hex. */
  hash: string
  api_key_id: string
  tenant_id: string
  environment: KeyEnvironment
  refusal: Exclude<KeyOutcome, 'valid' | 'origin_refused'> | null
  expires_at: string | null
  grace_ends_at: string | null
  allowed_origins: string[]
}

const KEYS_BY_HASH = prepared(`
  select encode(key_hash, 'hex') as hash, id as api_key_id, tenant_id, environment,
    case
      when revoked_at is not null then 'revoked'
      when (select status from tenants where tenants.id = tenant_id) <> 'active' then 'tenant_inactive'
      when not is_active then 'disabled'
      when expires_at <= clock_timestamp() then 'expired'
    end as refusal,
    expires_at, grace_ends_at, to_json(allowed_origins) as allowed_origins
  from api_keys where key_hash = any($1::bytea[])`)

/**
 * Existing keys by their hash (SHA-256 in hex). The order of the refusals is fixed: the first reason wins. node-postgres
 * parses an array six times as slowly as JSON.
 */
export async function keysByHash(db: Kysely<Database>, hashes: readonly string[]): Promise<Map<string, KeyRecord>> {
  const parameter = arrayLiteral(hashes.map((hash) => `"\\\\x${hash}"`))
  const { rows } = await db.executeQuery<KeyRecord>(CompiledQuery.raw(KEYS_BY_HASH, [parameter]))
  return new Map(rows.map((key) => [key.hash, key]))
}

/** Number of checks of a key with one outcome, and the age of the latest check in milliseconds. */
export type KeyUsage = {
  id: string
  environment: KeyEnvironment
  outcome: KeyOutcome
  count: number
  ageMs: number
}

/** Number of checks of a key with one outcome since the last write by hour. */
export type KeyHour = { id: string; outcome: KeyOutcome; count: number }

/** Number of refused calls of a key from an origin, and the age of the latest one in milliseconds. */
export type KeyOrigin = { id: string; origin: string | null; count: number; ageMs: number }

/** Part of the counts of one process. Idempotent: sending it twice writes it once. */
export type UsageBatch = {
  writer: string
  number: number
  usages: readonly KeyUsage[]
  hours: readonly KeyHour[]
  origins: readonly KeyOrigin[]
}

/**
 * Adds a batch to the counts of the day, of the hour and of the refused origins, and moves `last_at` forward, in one
 * statement. Skips deleted keys, which are rare: the query looks for deleted keys only after a batch has failed.
 */
export async function writeUsage(db: Kysely<Database>, batch: UsageBatch): Promise<void> {
  try {
    await insertUsage(db, batch, sql``)
  } catch (error) {
    const isKeyDeleted = error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION
    if (!isKeyDeleted) throw error
    // A scalar subquery looks up one row per usage; a join would read the whole table.
    await insertUsage(db, batch, sql`and (select true from api_keys where api_keys.id = counted.id)`)
  }
}

async function insertUsage(
  db: Kysely<Database>,
  { writer, number, usages, hours, origins }: UsageBatch,
  keyExists: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with fresh as (
      insert into api_key_use_writers as stored (id, batch, at) values (${writer}, ${number}, now())
      on conflict (id) do update set batch = excluded.batch, at = excluded.at where stored.batch < excluded.batch
      returning id
    )${hours.length === 0 ? sql`` : callsByHour(hours, keyExists)}${origins.length === 0 ? sql`` : refusedOrigins(origins, keyExists)}
    insert into api_key_outcomes as stored (api_key_id, environment, day, outcome, count, last_at)
    select id, environment, (now() at time zone 'UTC')::date, outcome, added, now() - age * interval '1 millisecond'
    from unnest(
      ${arrayLiteral(usages.map(({ id }) => id))}::uuid[],
      ${arrayLiteral(usages.map(({ environment }) => environment))}::text[],
      ${arrayLiteral(usages.map(({ outcome }) => outcome))}::text[],
      ${arrayLiteral(usages.map(({ count }) => count))}::bigint[],
      ${arrayLiteral(usages.map(({ ageMs }) => ageMs))}::float8[]
    ) as counted (id, environment, outcome, added, age)
    where exists (select from fresh) ${keyExists}
    -- The same lock order in every process prevents deadlocks.
    order by id, outcome
    on conflict (api_key_id, day, outcome) do update
    set count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)`.execute(db)
}

/** Part of the statement. */
function callsByHour(hours: readonly KeyHour[], keyExists: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`, by_hour as (
    insert into api_key_hours as stored (api_key_id, hour, outcome, count)
    select id, date_trunc('hour', now()), outcome, added
    from unnest(
      ${arrayLiteral(hours.map(({ id }) => id))}::uuid[],
      ${arrayLiteral(hours.map(({ outcome }) => outcome))}::text[],
      ${arrayLiteral(hours.map(({ count }) => count))}::bigint[]
    ) as counted (id, outcome, added)
    where exists (select from fresh) ${keyExists}
    order by id, outcome
    on conflict (api_key_id, hour, outcome) do update set count = stored.count + excluded.count
  )`
}

/** Part of the statement. Origins are the text of callers, so they are JSON instead of an array literal without escapes. */
function refusedOrigins(origins: readonly KeyOrigin[], keyExists: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`, by_origin as (
    insert into api_key_refused_origins as stored (api_key_id, origin, count, last_at)
    select id, origin, count, now() - "ageMs" * interval '1 millisecond'
    from jsonb_to_recordset(${JSON.stringify(origins)}) as counted (id uuid, origin text, count bigint, "ageMs" float8)
    where exists (select from fresh) ${keyExists}
    order by id, origin
    on conflict on constraint api_key_refused_origins_unique do update
    set count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)
  )`
}

/** A PostgreSQL array literal of values that need no quotes. node-postgres would scan every element for escapes. */
function arrayLiteral(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`
}

/** Deletes a writer after its last batch, and the writers of killed processes after a day. */
export async function deleteWriter(db: Kysely<Database>, writer: string): Promise<void> {
  await sql`delete from api_key_use_writers where id = ${writer} or at < now() - interval '1 day'`.execute(db)
}
