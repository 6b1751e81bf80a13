import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { describeList } from '#src/wire/list-endpoints.ts'
import { anyOf, day } from '#src/wire/lists.ts'
import { moment, text } from '#src/wire/text.ts'

/** Deliveries are deleted this number of days after their events. */
export const DELIVERIES_KEPT_DAYS = 30
/** How long a delivery is attempted, in hours. */
export const DELIVERY_HOURS = 72

/**
 * `waiting`: not attempted yet. `retrying`: the last attempt failed and another one follows. `delivered`: the receiver answered
 * with a 2xx status. `failed`: given up after three days.
 */
export const deliveryState = z.enum(['waiting', 'retrying', 'delivered', 'failed'])
export type DeliveryState = z.infer<typeof deliveryState>

/** An attempt to deliver an event. */
export const deliveryAttempt = z.object({
  /** When it began. */
  at: moment,
  /** How long it took, in milliseconds. */
  duration_ms: z.int(),
  /** Status of the answer. Null without an answer. */
  status: z.nullable(z.int()),
  /** Why it failed, as a sentence. Null for a success. */
  problem: z.nullable(z.string()),
})
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>

/** One event for one webhook, with the result of its last attempt. */
export const webhookDelivery = z.object({
  /** Id of the delivery. */
  id: z.uuid(),
  /** Id of the webhook. */
  webhook_id: z.uuid(),
  /** Id of the event; also the header `webhook-id`. */
  event_id: z.string(),
  /** Type of the event, or `webhook.test`. */
  event_type: z.string(),
  /** Name of the record that the event is about. */
  target_name: z.nullable(z.string()),
  /** When the event happened. */
  at: moment,
  state: deliveryState,
  /** Number of attempts, including those before a replay. */
  attempts: z.int(),
  /** When the last attempt began. Null before the first one has ended. */
  attempted_at: z.nullable(moment),
  /** How long the last attempt took, in milliseconds. */
  duration_ms: z.nullable(z.int()),
  /** Status of the last answer. Null without an answer. */
  status: z.nullable(z.int()),
  /** Why the last attempt failed, as a sentence. Null after a success. */
  problem: z.nullable(z.string()),
  /** When the next attempt begins. Null without one, and while the delivery waits for its turn. */
  next_attempt_at: z.nullable(moment),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

/** A delivery with its request, the last answer and all attempts. */
export const webhookDeliveryRecord = z.extend(webhookDelivery, {
  /** Headers of the request, without the signature. */
  request_headers: z.record(z.string(), z.string()),
  /** Body of the request. Every attempt sends the same. */
  body: z.string(),
  /** First 4 kB of the last answer. Null without an answer. */
  answer: z.nullable(z.string()),
  /** The newest 50 attempts, oldest first. */
  history: z.array(deliveryAttempt),
})
export type WebhookDeliveryRecord = z.infer<typeof webhookDeliveryRecord>

/**
 * A replay of the deliveries since a time.
 * @example {"since":"2026-11-28T00:00:00.000Z"}
 */
export const replayWebhookBody = z.strictObject({
  /** Deliveries of events at this time or later. */
  since: moment,
  /** Also those that were delivered. By default only failed ones and those that are retried later. */
  delivered: z.optional(z.boolean()),
})
export type ReplayWebhookBody = z.infer<typeof replayWebhookBody>

const url = '/api/v1/admin/webhooks'
const tags = ['Webhooks']
const config = { capability: 'signals', confirmed: true } as const
const params = z.strictObject({
  /** Id of the webhook. */
  id: z.uuid(),
})
const deliveryParams = z.strictObject({
  /** Id of the delivery. */
  delivery_id: z.uuid(),
})

const noun = {
  name: 'webhook_deliveries',
  plural: 'deliveries to webhooks',
  url: '/api/v1/admin/webhook-deliveries',
  tag: 'Webhooks',
} as const

/** The delivery log of all webhooks, or of one. */
export const webhookDeliveryList = describeList(noun, {
  description: 'Deliveries to webhooks, newest event first. Deleted 30 days after the event.',
  row: webhookDelivery,
  sorts: ['at', '-at'],
  defaultSort: '-at',
  filters: {
    /** Only deliveries to this webhook. */
    webhook_id: z.optional(z.uuid()),
    /** Only deliveries in these states. */
    state: anyOf(deliveryState),
    /** Only deliveries of events of this type. */
    event_type: z.optional(text(60)),
    /** First day of the events, in UTC. */
    from: z.optional(day),
    /** Last day of the events, in UTC. */
    to: z.optional(day),
  },
})
export type WebhookDeliveryListQuery = z.infer<typeof webhookDeliveryList.list.schema.querystring>

/** A delivery with its request, the last answer and all attempts. 404 after 30 days. */
export const getWebhookDelivery = endpoint('GET', `${noun.url}/:delivery_id`, {
  config: { capability: 'view' },
  operationId: 'webhook_deliveries.get',
  summary: 'Read a delivery',
  tags,
  params: deliveryParams,
  response: { 200: webhookDeliveryRecord },
})

/** Sends an event again, now, with the same id and body. */
export const replayWebhookDelivery = endpoint('POST', `${noun.url}/:delivery_id/replay`, {
  config,
  operationId: 'webhook_deliveries.replay',
  summary: 'Replay a delivery',
  tags,
  params: deliveryParams,
  response: { 200: webhookDelivery },
})

/** Sends the events since a time again, each with the same id and body, in their order. */
export const replayWebhook = endpoint('POST', `${url}/:id/replay`, {
  config,
  operationId: 'webhooks.replay',
  summary: 'Replay the deliveries of a webhook since a time',
  tags,
  params,
  body: replayWebhookBody,
  response: {
    200: z.object({
      /** Number of deliveries that are sent again. */
      replayed: z.int(),
    }),
  },
})

/** Sends a test event once, also to a webhook that is off. The delivery has the answer a moment later. */
export const testWebhook = endpoint('POST', `${url}/:id/test`, {
  config,
  operationId: 'webhooks.test',
  summary: 'Send a test event to a webhook',
  tags,
  params,
  response: { 201: webhookDelivery },
})
