import { WEBHOOK_WINDOW_MS } from '@switchboard/contract/runs'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Deletes webhooks that are too old to be accepted again. */
export async function deleteOldWebhooks(db: Kysely<Database>): Promise<void> {
  // Twice the window: a timestamp may be ahead or behind.
  const seconds = (2 * WEBHOOK_WINDOW_MS) / 1_000
  await sql`delete from task_webhooks where received_at < now() - make_interval(secs => ${seconds})`.execute(db)
}
