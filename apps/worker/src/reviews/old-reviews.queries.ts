import { REVIEW_RETENTION_DAYS } from '@switchboard/contract/reviews'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/**
 * Deletes reviews that Google has not returned for `REVIEW_RETENTION_DAYS` and ratings of earlier days, also those of deleted
 * records: Google limits the time.
 */
export async function deleteOldReviews(db: Kysely<Database>): Promise<void> {
  const isMoved = sql`not is_root and root_id in (select root_id from deletions where is_root)`
  const lastSeen = sql`now() - make_interval(days => ${REVIEW_RETENTION_DAYS})`
  await sql`delete from reviews where last_seen_at < ${lastSeen}`.execute(db)
  await sql`
    delete from deletions where ${isMoved} and table_name = 'reviews'
      and (record ->> 'last_seen_at')::timestamptz < ${lastSeen}`.execute(db)
  const lastDay = sql`((now() at time zone 'UTC')::date - ${REVIEW_RETENTION_DAYS}::int)`
  await sql`delete from place_ratings where day <= ${lastDay}`.execute(db)
  await sql`
    delete from deletions where ${isMoved} and table_name = 'place_ratings'
      and (record ->> 'day')::date <= ${lastDay}`.execute(db)
}
