import { randomUUID } from 'node:crypto'
import { WEBHOOK_DISABLED_ACTION } from '@switchboard/contract/activity'
import { DELIVERY_HOURS, type DeliveryAttempt } from '@switchboard/contract/signals/webhook-deliveries'
import { type WebhookDisabledReason, webhookName } from '@switchboard/contract/signals/webhooks'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { inTransaction } from '@switchboard/database/in-transaction'
import { decryptSecret } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import type { EndJob, SendWebhookPayload } from '@switchboard/jobs/webhook-queue'
import { withoutSecrets } from '@switchboard/server/outbound/without-secrets'
import { signatureOf } from '@switchboard/server/webhooks/webhook-signature'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { receiverDelayMs } from '#src/signals/receiver-delay.ts'
import { startNext } from './plan-deliveries.service.ts'
import type { Sent } from './webhook.client.ts'
import * as queries from './webhooks.queries.ts'

const HOUR_MS = 60 * 60 * 1_000
/** Newest attempts that are kept. */
const HISTORY_MAX = 50
const GONE = 410
const DISABLED_BECAUSE = {
  failing: 'No delivery succeeded for three days.',
  gone: 'The receiver answered 410 Gone.',
} satisfies Record<WebhookDisabledReason, string>
const UNREADABLE: Sent = {
  status: null,
  problem: 'The secret of this webhook cannot be decrypted. Ask operations to check SECRETS_KEY of the worker.',
  answer: null,
}

type Delivery = NonNullable<Awaited<ReturnType<typeof queries.lockDelivery>>>
type Attempt = NonNullable<Awaited<ReturnType<typeof queries.attemptOf>>>

/**
 * Makes one attempt of a delivery. Idempotent: does nothing for a delivery that has ended, is gone, or has another job. A failure
 * plans the next attempt, until three days after the first one. The job ends in the transaction that writes the result.
 */
export async function sendWebhook(deps: Deps, payload: SendWebhookPayload, endJob: EndJob): Promise<void> {
  const attempt = await queries.attemptOf(deps.db, payload)
  // Switched off meanwhile: it starts again when the webhook is switched on.
  const isHeld = attempt !== undefined && !attempt.is_active && attempt.seq !== null
  if (attempt === undefined || isHeld)
    return await inTransaction(deps.db, async (trx) => {
      if (isHeld) await queries.holdDelivery(trx, payload)
      await endJob(trx)
    })
  const started = performance.now()
  const sent = await send(deps, attempt)
  const duration_ms = Math.round(performance.now() - started)
  const done = { at: attempt.began, duration_ms, status: sent.status, problem: sent.problem }
  const outcome = await inTransaction(deps.db, async (trx) => {
    const delivery = await queries.lockDelivery(trx, payload)
    await endJob(trx)
    return delivery === undefined ? null : await end(deps, trx, delivery, { done, sent })
  })
  if (outcome !== null) deps.webhookCounts.count(outcome)
}

async function send({ secretKeys, webhookClient }: Deps, attempt: Attempt): Promise<Sent> {
  const { webhook_id, format, url, event_id, body, old_secret, began } = attempt
  const [secret, ...others] = [attempt.secret, ...(old_secret === null ? [] : [old_secret])].map((stored) =>
    decryptSecret(secretKeys, webhook_id, stored)?.toString(),
  )
  if (secret === undefined) return UNREADABLE
  if (format !== 'standard') {
    const { pathname, search } = new URL(secret)
    return hideSecrets(await webhookClient.send(secret, { headers: {}, body }), [pathname + search])
  }
  const timestamp = String(Math.floor(Date.parse(began) / 1_000))
  const keys = [secret, ...others].flatMap((key) => key ?? [])
  const signatures = keys.map((key) => signatureOf(key, { id: event_id, timestamp, body }))
  const headers = {
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
  // The receiver has the secrets too, and its errors may print them.
  const secrets = [...signatures, ...keys.map((key) => key.replace(/^whsec_/, ''))]
  return hideSecrets(await webhookClient.send(url, { headers, body }), secrets)
}

function hideSecrets(sent: Sent, secrets: readonly string[]): Sent {
  return { ...sent, answer: sent.answer === null ? null : withoutSecrets(sent.answer, secrets) }
}

type Result = { done: DeliveryAttempt; sent: Sent }

/** Writes the result of an attempt. */
async function end(deps: Deps, trx: Transaction<Database>, delivery: Delivery, { done, sent }: Result) {
  const { id, webhook_id } = delivery
  const now = new Date(delivery.now)
  const began_at = new Date(delivery.began_at ?? done.at)
  const attempt = { history: [...delivery.history, done].slice(-HISTORY_MAX), answer: sent.answer, began_at }
  if (done.problem === null) {
    await queries.recordAttempt(trx, id, attempt, ended('delivered', now))
    await queries.markDelivered(trx, webhook_id)
    await startNext(deps, trx, delivery)
    return 'delivered' as const
  }
  await queries.markFailing(trx, webhook_id, new Date(done.at))
  const delayMs = nextDelayMs(deps, delivery, { ...attempt, sent, now })
  if (delayMs === null || done.status === GONE) {
    await queries.recordAttempt(trx, id, attempt, ended('failed', now))
    if (delivery.seq !== null) await disableIfDead(trx, delivery, done, now)
    await startNext(deps, trx, delivery)
    return 'failed' as const
  }
  const [job_id, next_attempt_at] = [randomUUID(), new Date(now.getTime() + delayMs)]
  await queries.recordAttempt(trx, id, attempt, { state: 'retrying', job_id, ended_at: null, next_attempt_at })
  await deps.webhooks.enqueue(trx, [{ delivery_id: id, webhook_id, job_id, delayMs }])
  return 'retrying' as const
}

function ended<State extends 'delivered' | 'failed'>(state: State, ended_at: Date) {
  return { state, ended_at, job_id: null, next_attempt_at: null }
}

/** Milliseconds until the next attempt, the last of which is three days after the first one. Null for a test and after the last. */
function nextDelayMs(
  deps: Deps,
  { seq }: Delivery,
  { history, began_at, sent, now }: { history: DeliveryAttempt[]; began_at: Date; sent: Sent; now: Date },
): number | null {
  const left = began_at.getTime() + DELIVERY_HOURS * HOUR_MS - now.getTime()
  if (seq === null || left <= 0) return null
  const attempt = history.filter(({ at }) => Date.parse(at) >= began_at.getTime()).length
  return Math.min(left, receiverDelayMs(deps, { attempt, retryAfter: sent.retryAfter, now }))
}

/** Switches a webhook off that is gone, or that has had no success for three days. */
async function disableIfDead(
  trx: Transaction<Database>,
  { webhook_id, failing_since, url, description }: Delivery,
  { status }: DeliveryAttempt,
  now: Date,
): Promise<void> {
  const since = failing_since === null ? now.getTime() : Date.parse(failing_since)
  const isFailing = now.getTime() - since >= DELIVERY_HOURS * HOUR_MS
  const reason = status === GONE ? 'gone' : isFailing ? 'failing' : null
  if (reason === null || !(await queries.disableWebhook(trx, webhook_id, reason, now))) return
  await writeAudit(trx, now, WORKER, {
    action: WEBHOOK_DISABLED_ACTION,
    reason: DISABLED_BECAUSE[reason],
    target: { type: 'webhook', id: webhook_id, name: webhookName({ url, description }), tenant_id: null },
    changes: { is_active: { before: true, after: false } },
  })
}
