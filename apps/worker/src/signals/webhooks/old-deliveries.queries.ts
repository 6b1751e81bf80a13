import { DELIVERIES_KEPT_DAYS } from '@switchboard/contract/signals/webhook-deliveries'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Rows per call, so that the statement is short. */
const ROWS_MAX = 10_000

/** Deletes deliveries of events that are older than 30 days. */
export async function deleteOldDeliveries(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where at < now() - make_interval(days => ${DELIVERIES_KEPT_DAYS})
      order by at limit ${ROWS_MAX}
    )`.execute(db)
}
