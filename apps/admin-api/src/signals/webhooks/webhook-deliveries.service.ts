import { randomUUID } from 'node:crypto'
import * as contract from '@switchboard/contract/signals/webhook-deliveries'
import type {
  ReplayWebhookBody,
  WebhookDelivery,
  WebhookDeliveryRecord,
} from '@switchboard/contract/signals/webhook-deliveries'
import { messageOf, TEST_EVENT_TYPE } from '@switchboard/contract/signals/webhook-messages'
import { webhookName } from '@switchboard/contract/signals/webhooks'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { notFound } from '@switchboard/server/http/errors'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import * as queries from './webhook-deliveries.queries.ts'
import { lockWebhook } from './webhooks.service.ts'

/** A delivery with its request and the last answer. Throws 404. */
export async function deliveryRecord({ db }: Pick<Deps, 'db'>, id: string): Promise<WebhookDeliveryRecord> {
  const found = await queries.deliveryById(db, id)
  if (found === undefined) throw notFound('Delivery')
  const { format, ...delivery } = found
  const { attempted_at, event_id } = delivery
  const signed = attempted_at !== null && {
    'webhook-timestamp': String(Math.floor(Date.parse(attempted_at) / 1_000)),
  }
  return {
    ...delivery,
    request_headers: {
      'content-type': 'application/json',
      ...(format === 'standard' && { 'webhook-id': event_id, ...signed }),
    },
  }
}

/** Sends an event again, now. Throws 404. */
export async function replayDelivery({ db, now }: Deps, actor: Actor, id: string): Promise<WebhookDelivery> {
  return await inTransaction(db, async (trx) => {
    const delivery = await queries.lockDelivery(trx, id)
    if (delivery === undefined) throw notFound('Delivery')
    const { webhook_id, event_id } = delivery
    await writeAudit(trx, now(), actor, {
      action: contract.replayWebhookDelivery.schema.operationId,
      target: { type: 'webhook', id: webhook_id, name: webhookName(delivery), tenant_id: null },
      changes: { event_id: { before: null, after: event_id } },
    })
    return await queries.restartDelivery(trx, id)
  })
}

/** Sends the events since a time again. Throws 404. */
export async function replayWebhook(
  { db, now }: Deps,
  actor: Actor,
  id: string,
  { since, delivered = false }: ReplayWebhookBody,
): Promise<{ replayed: number }> {
  return await inTransaction(db, async (trx) => {
    const webhook = await lockWebhook(trx, id)
    const replayed = await queries.restartDeliveries(trx, id, {
      since: new Date(since),
      states: delivered ? ['delivered', 'failed', 'retrying'] : ['failed', 'retrying'],
    })
    await writeAudit(trx, now(), actor, {
      action: contract.replayWebhook.schema.operationId,
      target: { type: 'webhook', id, name: webhookName(webhook), tenant_id: null },
      changes: { since: { before: null, after: since }, replayed: { before: null, after: replayed } },
    })
    return { replayed }
  })
}

/** Plans the delivery of a test event. Throws 404. */
export async function testWebhook({ db, now }: Deps, actor: Actor, id: string): Promise<WebhookDelivery> {
  return await inTransaction(db, async (trx) => {
    const webhook = await lockWebhook(trx, id)
    const [at, name] = [now(), webhookName(webhook)]
    const event = {
      id: `evt_test_${randomUUID()}`,
      type: TEST_EVENT_TYPE,
      at: at.toISOString(),
      seq: null,
      actor: { id: actor.id, name: actor.email },
      target: { type: 'webhook' as const, id, name },
      tenant_id: null,
      reason: null,
      changes: {},
    }
    await writeAudit(trx, at, actor, {
      action: contract.testWebhook.schema.operationId,
      target: { type: 'webhook', id, name, tenant_id: null },
    })
    return await queries.insertDelivery(trx, {
      webhook_id: id,
      seq: null,
      event_id: event.id,
      event_type: event.type,
      target_name: name,
      body: messageOf(webhook.format, event),
      at,
    })
  })
}
