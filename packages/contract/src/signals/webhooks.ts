import * as z from 'zod/mini'
import { eventType } from '#src/signals/events.ts'
import { isOutboundUrl } from '#src/signals/outbound-url.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody, lastEdit } from '#src/wire/errors.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { isVisible, moment, text, trimmedText } from '#src/wire/text.ts'

/** Maximum number of webhooks. */
export const WEBHOOKS_MAX = 50
/** Longest address and description of a webhook. */
export const WEBHOOK_URL_MAX = 2_000
export const WEBHOOK_DESCRIPTION_MAX = 200
/** How long deliveries are also signed with the previous secret after a rotation, in hours: by default and at most. */
export const SECRET_OVERLAP_HOURS_DEFAULT = 24
export const SECRET_OVERLAP_HOURS_MAX = 168

/**
 * `standard`: the event as JSON, signed as Standard Webhooks demand. `slack`: a message for an incoming webhook of Slack or a
 * compatible service. `teams`: a card for a workflow of Microsoft Teams.
 */
export const webhookFormat = z.enum(['standard', 'slack', 'teams'])
export type WebhookFormat = z.infer<typeof webhookFormat>

/** Why the worker switched a webhook off. `failing`: three days without a success. `gone`: it answered 410. */
export const webhookDisabledReason = z.enum(['failing', 'gone'])
export type WebhookDisabledReason = z.infer<typeof webhookDisabledReason>

/** A webhook: an address that gets events. */
export const webhook = z.object({
  /** Id of the webhook. */
  id: z.uuid(),
  format: webhookFormat,
  /** The address. Of Slack and Teams only its origin, because the rest of it is a secret. */
  url: z.string(),
  /** What the webhook is for. */
  description: z.string(),
  /** Types of the events that are sent. Empty: every type. */
  event_types: z.array(eventType),
  /** Whether events are sent. */
  is_active: z.boolean(),
  /** Why the worker switched the webhook off. Null for one that is on, or that a person switched off. */
  disabled_reason: z.nullable(webhookDisabledReason),
  /** When the worker switched the webhook off. */
  disabled_at: z.nullable(moment),
  /** The first failed attempt since the last success. Null if the last attempt succeeded. */
  failing_since: z.nullable(moment),
  /** The last success, exact to ten seconds. Null before the first. */
  last_delivered_at: z.nullable(moment),
  /** Number of deliveries that have not ended, counted up to 1,000. */
  waiting: z.int(),
  /** Until when deliveries are also signed with the previous secret. Null: only with the current one. */
  old_secret_until: z.nullable(moment),
  /** When the webhook was created. */
  created_at: moment,
  /** Grows with every saved change. `If-Match` takes it. */
  version: z.int(),
})
export type Webhook = z.infer<typeof webhook>

/** What a webhook is called: its description, or without one its address. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return isVisible(description) ? description : url
}

/** A webhook with its secret, which only this answer has. */
export const webhookWithSecret = z.extend(webhook, {
  /** The secret that signs deliveries: `whsec_` and base64. Null for Slack and Teams, which check no signature. */
  secret: z.nullable(z.string()),
})
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>

/** The answer to a stale `If-Match`: the current webhook, its last editor and the time of the edit. */
export const staleWebhook = z.extend(errorBody, {
  /** The record as it is now. */
  current: webhook,
  ...lastEdit,
})

/** Sentence for a text that is no address of a webhook. */
export const WEBHOOK_URL_INVALID = 'Use an address such as https://example.com/events, without a password or a #.'
const WEBHOOK_URL_LONG = `Use at most ${WEBHOOK_URL_MAX} characters. Letters such as é count as six.`

const fields = {
  /** The address: https, or http in a network of `WEBHOOK_NETWORKS`. */
  url: text(WEBHOOK_URL_MAX).check(
    z.trim(),
    z.refine(isOutboundUrl, WEBHOOK_URL_INVALID),
    // It is stored in its normal form, in which other letters than those of English are up to nine characters.
    z.refine((typed) => (URL.parse(typed)?.href ?? '').length <= WEBHOOK_URL_MAX, WEBHOOK_URL_LONG),
  ),
  /** What the webhook is for. */
  description: trimmedText(WEBHOOK_DESCRIPTION_MAX),
  /** Types of the events to send. Empty: every type. */
  event_types: z.array(eventType).check(z.maxLength(eventType.options.length)),
}

/**
 * A webhook to create. It gets the events that happen from now on.
 * @example {"url":"https://billing.example.com/events","description":"Billing","event_types":["tenant.created","tenant.suspended"]}
 */
export const createWebhookBody = z.strictObject({
  /** The format of what is sent, by default `standard`. It cannot be changed later. */
  format: z.optional(webhookFormat),
  url: fields.url,
  description: z.optional(fields.description),
  event_types: z.optional(fields.event_types),
})
export type CreateWebhookBody = z.infer<typeof createWebhookBody>

/**
 * Fields of a webhook to change; fields left out stay as they are. A webhook that is switched on continues with the events
 * that it has missed, up to 30 days.
 * @example {"is_active":true}
 */
export const updateWebhookBody = z.partial(
  z.strictObject({
    ...fields,
    /** Whether events are sent. */
    is_active: z.boolean(),
  }),
)
export type UpdateWebhookBody = z.infer<typeof updateWebhookBody>

/**
 * A rotation of the secret.
 * @example {"overlap_hours":24}
 */
export const rotateWebhookSecretBody = z.strictObject({
  /** How long deliveries are also signed with the previous secret, in hours, by default 24. 0: not at all. */
  overlap_hours: z.optional(z.int().check(z.minimum(0), z.maximum(SECRET_OVERLAP_HOURS_MAX))),
})
export type RotateWebhookSecretBody = z.infer<typeof rotateWebhookSecretBody>

const url = '/api/v1/admin/webhooks'
const tags = ['Webhooks']
const params = z.strictObject({
  /** Id of the webhook. */
  id: z.uuid(),
})
const sensitive = { capability: 'signals', confirmed: true } as const

/** All webhooks, oldest first, without their secrets. */
export const listWebhooks = endpoint('GET', url, {
  config: { capability: 'view' },
  operationId: 'webhooks.list',
  summary: 'List webhooks',
  tags,
  response: { 200: z.array(webhook) },
})

/** Creates a webhook and returns its secret once. 422 for an address that must not be called, 409 above 50 webhooks. */
export const createWebhook = endpoint('POST', url, {
  config: sensitive,
  operationId: 'webhooks.create',
  summary: 'Create a webhook',
  tags,
  body: createWebhookBody,
  response: { 201: webhookWithSecret },
})

/**
 * Changes the fields in the body. A stale `If-Match: "version"` gets 412 with `staleWebhook`. 422 for an address that must
 * not be called.
 */
export const updateWebhook = endpoint('PUT', `${url}/:id`, {
  config: sensitive,
  operationId: 'webhooks.update',
  summary: 'Change a webhook',
  tags,
  params,
  headers: ifMatchHeaders,
  body: updateWebhookBody,
  response: { 200: webhook, 412: staleWebhook },
})

/** Makes a new secret and returns it once. 409 for Slack and Teams. */
export const rotateWebhookSecret = endpoint('POST', `${url}/:id/secret`, {
  config: sensitive,
  operationId: 'webhooks.rotate_secret',
  summary: 'Rotate the secret of a webhook',
  tags,
  params,
  body: rotateWebhookSecretBody,
  response: { 200: webhookWithSecret },
})

/** Deletes a webhook with its deliveries, permanently. */
export const deleteWebhook = endpoint('DELETE', `${url}/:id`, {
  config: sensitive,
  operationId: 'webhooks.delete',
  summary: 'Delete a webhook',
  tags,
  params,
  response: { 204: z.null() },
})
