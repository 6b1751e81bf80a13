import type { DeliveryState, WebhookDelivery } from '@switchboard/contract/signals/webhook-deliveries'
import type { Webhook, WebhookDisabledReason, WebhookFormat } from '@switchboard/contract/signals/webhooks'
import { counted } from '#src/lib/format/count.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'

export const FORMAT_LABELS = {
  standard: 'Standard Webhooks',
  slack: 'Slack',
  teams: 'Microsoft Teams',
} satisfies Record<WebhookFormat, string>

/** Why the worker switched a webhook off. */
export const DISABLED_REASONS = {
  failing: 'no delivery succeeded for three days',
  gone: 'the receiver answered 410 Gone',
} satisfies Record<WebhookDisabledReason, string>

/** The state of a webhook. */
export function stateBadge(webhook: Pick<Webhook, 'is_active' | 'disabled_reason' | 'failing_since'>): {
  tone: Tone
  text: string
} {
  if (webhook.disabled_reason !== null) return { tone: 'bad', text: 'Disabled' }
  if (!webhook.is_active) return { tone: 'neutral', text: 'Off' }
  return webhook.failing_since === null ? { tone: 'ok', text: 'On' } : { tone: 'warn', text: 'Failing' }
}

/** "Every event", "tenant.created", or "3 event types". */
export function eventsText({ event_types }: Pick<Webhook, 'event_types'>): string {
  const [first] = event_types
  if (first === undefined) return 'Every event'
  return event_types.length === 1 ? first : counted(event_types.length, 'event type')
}

export const DELIVERY_BADGES = {
  waiting: { tone: 'neutral', text: 'Waiting' },
  retrying: { tone: 'warn', text: 'Retrying' },
  delivered: { tone: 'ok', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Failed' },
} satisfies Record<DeliveryState, { tone: Tone; text: string }>

export const DELIVERY_OPTIONS = Object.entries(DELIVERY_BADGES).map(([value, { text }]) => ({ value, label: text }))

/** "tenant.created: Harbor Dental" */
export function deliveryText({ event_type, target_name }: Pick<WebhookDelivery, 'event_type' | 'target_name'>): string {
  return target_name === null ? event_type : `${event_type}: ${target_name}`
}

/** The last answer: "204 in 31 ms", "No answer in 10,000 ms". Null before the first. */
export function answerText({ attempted_at, status, duration_ms }: WebhookDelivery): string | null {
  if (attempted_at === null) return null
  return `${status ?? 'No answer'} in ${(duration_ms ?? 0).toLocaleString('en-US')} ms`
}
