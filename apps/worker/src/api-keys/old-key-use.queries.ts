import { KEY_HOURS_KEPT_DAYS, REFUSED_ORIGINS_KEPT_DAYS } from '@switchboard/contract/api-keys/key-diagnosis'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Rows per statement: hours of 200,000 keys end at once. The next minute deletes more. */
const DELETED_MAX = 50_000
/** Rows per statement: 200,000 keys used every day have 400,000 rows a day. The next minute folds more. */
const FOLDED_MAX = 10_000
/** Rows per statement: 200,000 keys used every day end a day with 200,000 last uses. */
const LAST_USES_MAX = 10_000

/** Deletes the calls of keys by hour after two days, and refused origins 30 days after their last call. */
export async function deleteOldKeyUse(db: Kysely<Database>): Promise<void> {
  await sql`delete from api_key_hours where ctid = any(array(
    select ctid from api_key_hours where hour < now() - make_interval(days => ${KEY_HOURS_KEPT_DAYS})
    limit ${sql.lit(DELETED_MAX)}
  ))`.execute(db)
  await sql`delete from api_key_refused_origins
    where last_at < now() - make_interval(days => ${REFUSED_ORIGINS_KEPT_DAYS})`.execute(db)
}

/**
 * Folds use of keys by day into months, 90 days after the end of the month: at most `FOLDED_MAX` rows of the oldest such day.
 * After a long time without a worker, `keepLastUses` comes first: a folded row has lost its day.
 */
export async function foldKeyUse(db: Kysely<Database>): Promise<void> {
  await sql`
    select fold_key_use(${sql.lit(FOLDED_MAX)}) where not exists (
      select from api_key_outcomes
      where outcome = 'valid' and day > (select day from api_keys_last_used_until) and day < key_use_folded_before()
    )`.execute(db)
}

/** Keeps the last uses of keys on a day that has ended, at most `LAST_USES_MAX`, for the list of keys by last use. */
export async function keepLastUses(db: Kysely<Database>): Promise<void> {
  await sql`select keep_last_uses(${sql.lit(LAST_USES_MAX)})`.execute(db)
}
