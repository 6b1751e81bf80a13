import type { WebhookDelivery } from '@switchboard/contract/signals/webhook-deliveries'
import { Link } from '@tanstack/react-router'
import { fullText, momentText } from '#src/lib/format/moment.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { answerText, DELIVERY_BADGES } from './webhook-labels.ts'
import css from './webhooks-table.module.css'

export const DELIVERY_COLUMNS: Column<WebhookDelivery>[] = [
  { head: 'Event', cell: (delivery) => <Event delivery={delivery} />, skeleton: '50%' },
  { head: 'Answer', cell: (delivery) => <Answer delivery={delivery} />, width: '34%', skeleton: '60%' },
  { head: 'Attempts', cell: ({ attempts }) => attempts, align: 'end', visibleFrom: 'medium', skeleton: '16px' },
  { head: 'State', cell: ({ state }) => <Badge {...DELIVERY_BADGES[state]} dot />, skeleton: '64px' },
  {
    head: 'When',
    cell: ({ at }) => <RelativeTime moment={at} />,
    sort: { by: 'at', first: 'descending' },
    skeleton: '72px',
  },
]

/** A delivery on a phone. */
export function DeliveryPhoneRow({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <PhoneRow
      name={<EventLink delivery={delivery} />}
      badge={<Badge {...DELIVERY_BADGES[delivery.state]} dot />}
      facts={[
        <RelativeTime key="at" moment={delivery.at} />,
        ...(delivery.target_name === null ? [] : [<bdi key="target">{delivery.target_name}</bdi>]),
      ]}
    />
  )
}

/** The type, which opens the delivery, above the record. */
function Event({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <>
      <div className={css.name}>
        <EventLink delivery={delivery} />
      </div>
      {delivery.target_name !== null && (
        <div className={css.url} dir="auto" data-tooltip="cut">
          {delivery.target_name}
        </div>
      )}
    </>
  )
}

function EventLink({ delivery: { id, event_type } }: { delivery: WebhookDelivery }) {
  return (
    <Link to="." search={(before) => ({ ...before, delivery: id })} resetScroll={false}>
      {event_type}
    </Link>
  )
}

/** Status and duration above the problem. */
function Answer({ delivery }: { delivery: WebhookDelivery }) {
  const { problem, next_attempt_at } = delivery
  return (
    <>
      <div className={css.cut} data-tooltip="cut">
        {problem ?? answerText(delivery) ?? 'None yet'}
      </div>
      {next_attempt_at !== null && (
        <div className={css.url}>
          again{' '}
          <time dateTime={next_attempt_at} data-tooltip={fullText(next_attempt_at)}>
            {momentText(next_attempt_at)}
          </time>
        </div>
      )}
    </>
  )
}
