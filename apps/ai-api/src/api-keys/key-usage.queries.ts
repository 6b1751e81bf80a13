import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, sql } from 'kysely'

const FOREIGN_KEY_VIOLATION = '23503'
/** Counts added up by one statement, up to the last of its batches: a second of work at most. */
const FOLDED_MAX = 20_000

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

/** Stores a batch until `foldUsage` adds it up. Only inserts a row, so processes do not wait for each other. */
export async function writeUsage(
  db: Kysely<Database>,
  { writer, number, usages, hours, origins }: UsageBatch,
): Promise<void> {
  await sql`
    with fresh as (
      insert into api_key_use_writers as stored (id, batch, at) values (${writer}, ${number}, now())
      on conflict (id) do update set batch = excluded.batch, at = excluded.at where stored.batch < excluded.batch
      returning id
    )
    insert into api_key_use_batches (size, usages, hours, origins)
    select ${usages.length + hours.length}::int, ${jsonOf(usages)}::json, ${jsonOf(hours)}::json, ${jsonOf(origins)}::json
    from fresh`.execute(db)
}

/** Callers may keep more fields in their rows. */
function jsonOf(rows: readonly object[]): string {
  return JSON.stringify(rows, ['id', 'environment', 'outcome', 'origin', 'count', 'ageMs'])
}

/**
 * Adds waiting batches to the counts of the day, of the hour and of the refused origins, moves `last_at` forward, and
 * deletes the batches, in one statement. One process at a time does so, and keys in many batches are written once.
 * Returns the number of batches: 0 when none waits, or while another process adds them up. Skips deleted keys, which are
 * rare: the query looks for deleted keys only after it has failed.
 */
export async function foldUsage(db: Kysely<Database>): Promise<number> {
  try {
    return await foldBatches(db, sql``)
  } catch (error) {
    const isKeyDeleted = error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION
    if (!isKeyDeleted) throw error
    // A scalar subquery looks up one row per usage; a join would read the whole table.
    return await foldBatches(db, sql`where (select true from api_keys where api_keys.id = counted.id)`)
  }
}

async function foldBatches(db: Kysely<Database>, whereKeyExists: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ batches: number }>`
    with gate as (
      select pg_try_advisory_xact_lock(hashtextextended('api_key_use_batches', 0)) as is_open
    ), waiting as (
      select id, sum(size) over (order by id) - size as size_before from api_key_use_batches
    ), taken as (
      delete from api_key_use_batches
      where (select is_open from gate)
        and id = any(array(select id from waiting where size_before < ${sql.lit(FOLDED_MAX)}))
      returning at, usages, hours, origins
    ), by_hour as (
      insert into api_key_hours as stored (api_key_id, hour, outcome, count)
      select id, date_trunc('hour', at) as hour, outcome, sum(count)
      from taken cross join json_to_recordset(hours) as counted (id uuid, outcome text, count bigint)
      ${whereKeyExists}
      group by id, hour, outcome order by id, outcome
      on conflict (api_key_id, hour, outcome) do update set count = stored.count + excluded.count
    ), by_origin as (
      insert into api_key_refused_origins as stored (api_key_id, origin, count, last_at)
      select id, origin, sum(count), max(at - "ageMs" * interval '1 millisecond')
      from taken cross join json_to_recordset(origins) as counted (id uuid, origin text, count bigint, "ageMs" float8)
      ${whereKeyExists}
      group by id, origin order by id, origin
      on conflict on constraint api_key_refused_origins_unique do update
      set count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)
    ), by_day as (
      insert into api_key_outcomes as stored (api_key_id, environment, day, outcome, count, last_at)
      -- The worker keeps the last uses of a day an hour after its end. A batch left by the last ai-api counts later.
      select id, environment, (greatest(at, now() - interval '30 minutes') at time zone 'UTC')::date as day, outcome,
        sum(count), max(at - "ageMs" * interval '1 millisecond')
      from taken cross join json_to_recordset(usages)
        as counted (id uuid, environment text, outcome text, count bigint, "ageMs" float8)
      ${whereKeyExists}
      -- The order in which others lock these rows too, which prevents deadlocks.
      group by id, environment, day, outcome order by id, outcome
      on conflict (api_key_id, day, outcome) do update
      set count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)
    )
    select count(*) as batches from taken`.execute(db)
  return rows[0]?.batches ?? 0
}

/** Deletes a writer after its last batch, and the writers of killed processes after a day. */
export async function deleteWriter(db: Kysely<Database>, writer: string): Promise<void> {
  await sql`delete from api_key_use_writers where id = ${writer} or at < now() - interval '1 day'`.execute(db)
}
