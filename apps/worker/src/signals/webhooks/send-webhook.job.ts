import { WEBHOOK_DISABLED_ACTION, WORKER_ACTOR } from '@switchboard/contract/activity'
import { DELIVERY_HOURS, type DeliveryAttempt } from '@switchboard/contract/signals/webhook-deliveries'
import { type WebhookDisabledReason, webhookName } from '@switchboard/contract/signals/webhooks'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { databaseTime } from '@switchboard/database/database-clock'
import { inTransaction } from '@switchboard/database/in-transaction'
import { decryptSecret } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import { retryDelayMs } from '@switchboard/jobs/retry-delay'
import type { SendWebhookPayload } from '@switchboard/jobs/webhook-queue'
import { withoutSecrets } from '@switchboard/server/outbound/without-secrets'
import { signatureOf } from '@switchboard/server/webhooks/webhook-signature'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { startNext } from './plan-deliveries.service.ts'
import type { Sent } from './webhook.client.ts'
import * as queries from './webhooks.queries.ts'

const HOUR_MS = 60 * 60 * 1_000
/** Longest delay between two attempts. */
const DELAY_MAX_MS = 6 * HOUR_MS
/** Newest attempts that are kept. */
const HISTORY_MAX = 50
const GONE = 410
/** Actor in the audit log when a webhook is switched off. */
const WORKER = { id: null, email: WORKER_ACTOR, address: null, request_id: null }
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
/** One attempt. The number is a fencing token: only the latest attempt may end the delivery. */
type Attempt = { id: string; job_id: string; number: number; at: Date; delivery: Delivery }

/**
 * Makes one attempt of a delivery. Idempotent: does nothing for a delivery that has ended or is gone. A failure plans the next
 * attempt, until three days after the first one.
 */
export async function sendWebhook(deps: Deps, payload: SendWebhookPayload): Promise<void> {
  const attempt = await inTransaction(deps.db, (trx) => begin(trx, payload))
  if (attempt === null) return
  const started = performance.now()
  const sent = await send(deps, attempt)
  const duration_ms = Math.round(performance.now() - started)
  const done = { at: attempt.at.toISOString(), duration_ms, status: sent.status, problem: sent.problem }
  const outcome = await inTransaction(deps.db, (trx) => end(deps, trx, attempt, { done, answer: sent.answer }))
  if (outcome !== null) deps.webhookCounts.count(outcome)
}

async function begin(
  trx: Transaction<Database>,
  { delivery_id: id, job_id }: SendWebhookPayload,
): Promise<Attempt | null> {
  const delivery = await queries.lockDelivery(trx, id)
  // A replay gives a delivery another job.
  if (delivery === undefined || delivery.job_id !== job_id) return null
  const isTest = delivery.seq === null
  if (!delivery.is_active && !isTest) {
    // It starts again when the webhook is switched on.
    await queries.updateDelivery(trx, id, { job_id: null, next_attempt_at: null })
    return null
  }
  const [at, number] = [await databaseTime(trx), delivery.attempts + 1]
  const began_at = delivery.began_at === null ? at : new Date(delivery.began_at)
  await queries.updateDelivery(trx, id, { attempts: number, began_at, next_attempt_at: null })
  return { id, job_id, number, at, delivery }
}

async function send({ secretKeys, webhookClient }: Deps, { at, delivery }: Attempt): Promise<Sent> {
  const { webhook_id, format, url, event_id, body, old_secret, old_secret_until } = delivery
  const [secret, ...others] = [
    delivery.secret,
    ...(old_secret !== null && old_secret_until !== null && Date.parse(old_secret_until) > at.getTime()
      ? [old_secret]
      : []),
  ].map((stored) => decryptSecret(secretKeys, webhook_id, stored)?.toString())
  if (secret === undefined) return UNREADABLE
  if (format !== 'standard') {
    const { pathname, search } = new URL(secret)
    return hideSecrets(await webhookClient.send(secret, { headers: {}, body }), [pathname + search])
  }
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = [secret, ...others].flatMap((key) =>
    key === undefined ? [] : [signatureOf(key, { id: event_id, timestamp, body })],
  )
  const headers = {
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
  return hideSecrets(await webhookClient.send(url, { headers, body }), signatures)
}

function hideSecrets(sent: Sent, secrets: readonly string[]): Sent {
  return { ...sent, answer: sent.answer === null ? null : withoutSecrets(sent.answer, secrets) }
}

type Result = { done: DeliveryAttempt; answer: string | null }

/** Writes the result of an attempt, unless a newer one has begun or the delivery is gone. */
async function end(deps: Deps, trx: Transaction<Database>, attempt: Attempt, { done, answer }: Result) {
  const delivery = await queries.lockDelivery(trx, attempt.id)
  if (delivery === undefined || delivery.job_id !== attempt.job_id || delivery.attempts !== attempt.number) return null
  const { id, webhook_id, record_id } = delivery
  const history = [...delivery.history, done].slice(-HISTORY_MAX)
  if (done.problem === null) {
    await queries.recordAttempt(trx, id, history, { ...ended('delivered', await databaseTime(trx)), answer })
    await queries.markDelivered(trx, webhook_id)
    await startNext(deps, trx, webhook_id, record_id)
    return 'delivered' as const
  }
  await queries.markFailing(trx, webhook_id, attempt.at)
  const now = await databaseTime(trx)
  const next = nextAttempt(deps, delivery, history, now)
  if (next === null || done.status === GONE) {
    await queries.recordAttempt(trx, id, history, { ...ended('failed', now), answer })
    if (delivery.seq !== null) await disableIfDead(trx, delivery, done, now)
    await startNext(deps, trx, webhook_id, record_id)
    return 'failed' as const
  }
  const next_attempt_at = new Date(now.getTime() + next)
  await queries.recordAttempt(trx, id, history, { state: 'retrying', next_attempt_at, answer })
  await deps.webhooks.enqueue(trx, [{ delivery_id: id, webhook_id, job_id: attempt.job_id, delayMs: next }])
  return 'retrying' as const
}

function ended<State extends 'delivered' | 'failed'>(state: State, ended_at: Date) {
  return { state, ended_at, job_id: null, next_attempt_at: null }
}

/** Milliseconds until the next attempt, the last of which is three days after the first one. Null for a test and after the last. */
function nextAttempt(deps: Deps, { seq, began_at }: Delivery, history: readonly DeliveryAttempt[], now: Date) {
  if (seq === null || began_at === null) return null
  const begun = Date.parse(began_at)
  const attempts = history.filter(({ at }) => Date.parse(at) >= begun).length
  const left = begun + DELIVERY_HOURS * HOUR_MS - now.getTime()
  return left <= 0 ? null : Math.min(left, retryDelayMs(deps, Math.max(1, attempts), undefined, DELAY_MAX_MS))
}

/** Switches a webhook off that is gone, or that has had no success since three days. */
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
