import { REFUSED_ORIGINS_KEPT_DAYS } from '@switchboard/contract/api-keys/key-diagnosis'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, sql } from 'kysely'

/** Rows per statement: a day of 200,000 busy keys has millions of hours. The next minute folds more. */
const FOLDED_MAX = 20_000

/** Deletes refused origins 30 days after their last call. */
export async function deleteOldOrigins(db: Kysely<Database>): Promise<void> {
  await sql`delete from api_key_refused_origins
    where last_at < now() - make_interval(days => ${REFUSED_ORIGINS_KEPT_DAYS})`.execute(db)
}

/**
 * Folds the calls of each hour into days, except today's and yesterday's, and the calls of each day into months 90 days
 * after the end of the month.
 */
export async function foldKeyCalls(db: Kysely<Database>): Promise<void> {
  await fold(db, 'hour', 'day', sql`date_trunc('day', now(), 'UTC') - interval '1 day'`)
  await fold(db, 'day', 'month', sql`first_open_day()::timestamp at time zone 'UTC'`)
}

/**
 * Adds rows of a unit to the row of the longer unit that they belong to, oldest first. Leaves keys that are being changed or
 * deleted to the next minute. One worker folds at a time: two would wait for each other's rows.
 */
async function fold(db: Kysely<Database>, unit: string, longer: string, before: RawBuilder<unknown>): Promise<void> {
  await sql`
    with folded as (
      delete from api_key_calls where ctid = any(array(
        select api_key_calls.ctid from api_key_calls join api_keys on api_keys.id = api_key_id
        where (select pg_try_advisory_xact_lock(hashtextextended('api_key_calls', 0)))
          and unit = ${unit} and since < ${before}
        order by since limit ${sql.lit(FOLDED_MAX)}
        for update of api_key_calls skip locked for key share of api_keys skip locked
      ))
      returning api_key_id, environment, date_trunc(${longer}, since, 'UTC') as since, outcome, count, last_at
    )
    insert into api_key_calls as stored (api_key_id, environment, since, unit, outcome, count, last_at)
    select api_key_id, environment, since, ${longer}, outcome, sum(count), max(last_at)
    from folded group by api_key_id, environment, since, outcome order by api_key_id, since, outcome
    on conflict (api_key_id, since, outcome) do update set
      unit = excluded.unit, count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)`.execute(
    db,
  )
}
