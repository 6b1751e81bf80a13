import type { WebhookDisabledReason } from '@switchboard/contract/signals/webhooks'
import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

export type WebhookState = {
  url: string
  description: string
  is_active: boolean
  /** Why the worker switched it off. */
  disabled_reason: WebhookDisabledReason | null
  /** How long its oldest delivery that has not ended has waited, in seconds; 0 without one, and while it is off. */
  oldest_seconds: number
}

/** Whether each webhook gets what it should, oldest first. A replayed delivery waits from its first attempt since then. */
export async function webhookStates(db: Kysely<Database>): Promise<WebhookState[]> {
  const { rows } = await sql<WebhookState>`
    select url, description, is_active, disabled_reason, coalesce((
      select extract(epoch from now() - min(case when began_at is null and attempts > 0 then now() else coalesce(began_at, at) end))
      from webhook_deliveries where webhook_id = webhooks.id and ended_at is null and is_active
    ), 0)::int as oldest_seconds
    from webhooks order by created_at, id`.execute(db)
  return rows
}
