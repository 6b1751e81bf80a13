import type { Database } from '@switchboard/database/tables'
import { webhookStates } from '@switchboard/database/webhook-states.queries'
import type { Kysely } from 'kysely'
import { ok, warning } from './finding.ts'

/** A delivery that has waited longer than this is late. The alert has the same limit. */
const LATE_SECONDS = 3_600

/** Whether each webhook gets its events. */
export async function checkWebhooks(db: Kysely<Database>) {
  const webhooks = await webhookStates(db)
  const disabled = webhooks.find(({ disabled_reason }) => disabled_reason !== null)
  if (disabled !== undefined)
    return warning(
      `The webhook ${nameOf(disabled)} was switched off, because ${disabled.disabled_reason === 'gone' ? 'its receiver answered 410 Gone' : 'no delivery succeeded for three days'}. Switch it on when its receiver works, or delete it.`,
    )
  const late = webhooks.find(({ oldest_seconds }) => oldest_seconds > LATE_SECONDS)
  if (late !== undefined)
    return warning(
      `A delivery to the webhook ${nameOf(late)} has waited for ${late.oldest_seconds} s. Its page has the reason; without an attempt, start a worker.`,
    )
  const active = webhooks.filter(({ is_active }) => is_active)
  return ok(active.length === 0 ? 'None is on.' : `All ${active.length} that are on get their events.`)
}

/** The rest of an address may be a secret. */
function nameOf({ url, description }: { url: string; description: string }): string {
  return JSON.stringify(description === '' ? new URL(url).origin : description)
}
