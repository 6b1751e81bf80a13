import type { Webhook, WebhookDisabledReason, WebhookFormat } from '@switchboard/contract/signals/webhooks'
import type { Tone } from '#src/ui/badge/badge.tsx'
import { counted } from '#src/lib/format/count.ts'

export const FORMAT_LABELS = {
  standard: 'Standard Webhooks',
  slack: 'Slack',
  teams: 'Microsoft Teams',
} satisfies Record<WebhookFormat, string>

/** Why the worker switched a webhook off. */
export const DISABLED_REASONS = {
  failing: 'No delivery succeeded for three days.',
  gone: 'The receiver answered 410 Gone.',
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
