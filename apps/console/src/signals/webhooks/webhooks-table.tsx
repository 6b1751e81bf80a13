import { type Webhook, webhookName } from '@switchboard/contract/signals/webhooks'
import { Link } from '@tanstack/react-router'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { DISABLED_REASONS, eventsText, FORMAT_LABELS, stateBadge } from './webhook-labels.ts'
import css from './webhooks-table.module.css'

export const WEBHOOK_COLUMNS: Column<Webhook>[] = [
  { head: 'Webhook', cell: (webhook) => <Name webhook={webhook} />, skeleton: '60%' },
  { head: 'Format', cell: ({ format }) => FORMAT_LABELS[format], visibleFrom: 'medium', skeleton: '96px' },
  { head: 'Events', cell: (webhook) => <Events webhook={webhook} />, width: '18%', skeleton: '60%' },
  { head: 'Last delivered', cell: (webhook) => <LastDelivery webhook={webhook} />, skeleton: '72px' },
  { head: 'State', cell: (webhook) => <WebhookState webhook={webhook} />, skeleton: '64px' },
]

/** A webhook on a phone. */
export function WebhookPhoneRow({ webhook }: { webhook: Webhook }) {
  return (
    <PhoneRow
      name={<NameLink webhook={webhook} />}
      badge={<WebhookState webhook={webhook} />}
      facts={[eventsText(webhook), <PhoneLastDelivery key="last" webhook={webhook} />]}
    />
  )
}

/** The description above the address. */
function Name({ webhook }: { webhook: Webhook }) {
  const { description, url } = webhook
  return (
    <>
      <div className={css.name}>
        <NameLink webhook={webhook} />
      </div>
      {description !== '' && (
        <div className={css.url} data-tooltip="cut">
          {url}
        </div>
      )}
    </>
  )
}

function NameLink({ webhook }: { webhook: Webhook }) {
  return (
    <Link to="/settings/webhooks/$webhookId" params={{ webhookId: webhook.id }} dir="auto" data-tooltip="cut">
      {webhookName(webhook)}
    </Link>
  )
}

function Events({ webhook }: { webhook: Webhook }) {
  const { event_types } = webhook
  return (
    <div className={css.cut} data-tooltip={event_types.length > 1 ? event_types.join(', ') : 'cut'}>
      {eventsText(webhook)}
    </div>
  )
}

function LastDelivery({ webhook: { last_delivered_at } }: { webhook: Webhook }) {
  return last_delivered_at === null ? 'Never' : <RelativeTime moment={last_delivered_at} />
}

/** On phones, where no head says what the time is. */
function PhoneLastDelivery({ webhook }: { webhook: Webhook }) {
  if (webhook.last_delivered_at === null) return 'Never delivered'
  return (
    <>
      Delivered <LastDelivery webhook={webhook} />
    </>
  )
}

/** The state as a badge, with the reason of a disabled webhook. */
function WebhookState({ webhook }: { webhook: Webhook }) {
  const badge = <Badge {...stateBadge(webhook)} dot />
  const { disabled_reason } = webhook
  return disabled_reason === null ? badge : <span data-tooltip={DISABLED_REASONS[disabled_reason]}>{badge}</span>
}
