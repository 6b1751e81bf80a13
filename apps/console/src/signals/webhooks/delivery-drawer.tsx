import { Button } from '@mantine/core'
import type { WebhookDeliveryRecord } from '@switchboard/contract/signals/webhook-deliveries'
import type { Webhook } from '@switchboard/contract/signals/webhooks'
import { TEST_EVENT_TYPE } from '@switchboard/contract/signals/webhook-messages'
import { useQuery } from '@tanstack/react-query'
import { failureText } from '#src/lib/call-error.ts'
import { useCan } from '#src/lib/can.ts'
import { fullText, momentText } from '#src/lib/format/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { Section } from '#src/ui/card/section.tsx'
import { SlideOver } from '#src/ui/dialog/slide-over.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import css from './delivery-drawer.module.css'
import { DELIVERY_BADGES } from './webhook-labels.ts'
import { deliveryQuery, isOnItsWay, useReplayDelivery } from './webhooks.api.ts'

/** A delivery: its state, the request, the last answer and all attempts. */
export function DeliveryDrawer({ id, webhook, onClose }: { id: string; webhook: Webhook; onClose: () => void }) {
  const delivery = useQuery(deliveryQuery(id))
  const title = delivery.data?.event_type ?? 'Delivery'
  return (
    <SlideOver label="Delivery" title={title} from="right" onClose={onClose}>
      {delivery.data ? (
        <div className={css.parts}>
          <State delivery={delivery.data} webhook={webhook} />
          <Request delivery={delivery.data} />
          {delivery.data.answer !== null && (
            <Section title="Answer">
              <Text text={delivery.data.answer} empty="The answer has no body." label="Body of the answer" />
            </Section>
          )}
          <Attempts delivery={delivery.data} />
        </div>
      ) : delivery.isError ? (
        <LoadError plain title="The delivery could not be loaded" queries={[delivery]} />
      ) : (
        <SkeletonItems text="Loading delivery..." count={4} />
      )}
    </SlideOver>
  )
}

function State({ delivery, webhook }: { delivery: WebhookDeliveryRecord; webhook: Webhook }) {
  const { id, state, event_type, target_name, at, problem, next_attempt_at } = delivery
  const isHeld = isOnItsWay(delivery) && !webhook.is_active && event_type !== TEST_EVENT_TYPE
  const mayReplay = useCan('signals')
  const replay = useReplayDelivery()
  return (
    <>
      {problem !== null && <Notice tone={state === 'failed' ? 'bad' : 'warn'}>{problem}</Notice>}
      <Facts>
        <Fact term="State">
          <Badge {...DELIVERY_BADGES[state]} dot />
        </Fact>
        {!isHeld && next_attempt_at !== null && (
          <Fact term="Next attempt">
            <time dateTime={next_attempt_at}>{fullText(next_attempt_at)}</time>
          </Fact>
        )}
        {isHeld && <Fact term="Next attempt">When the webhook is switched on</Fact>}
        {target_name !== null && (
          <Fact term="Record">
            <bdi>{target_name}</bdi>
          </Fact>
        )}
        <Fact term="Happened">
          <time dateTime={at}>{fullText(at)}</time>
        </Fact>
      </Facts>
      {mayReplay && state !== 'waiting' && (
        <Button
          variant="default"
          className={css.replay}
          loading={replay.isPending}
          onClick={() =>
            replay.mutate(
              { id },
              { onError: (error) => notify('bad', failureText(error, 'The delivery could not be replayed.')) },
            )
          }
        >
          Replay
        </Button>
      )}
    </>
  )
}

function Request({ delivery: { request_headers, body } }: { delivery: WebhookDeliveryRecord }) {
  return (
    <Section title="Request">
      <Facts>
        {Object.entries(request_headers).map(([name, value]) => (
          <Fact key={name} term={name}>
            <code>{value}</code>
          </Fact>
        ))}
      </Facts>
      <Text text={indented(body)} empty="" label="Body of the request" />
    </Section>
  )
}

function Attempts({ delivery: { history } }: { delivery: WebhookDeliveryRecord }) {
  if (history.length === 0) return null
  return (
    <Section title="Attempts">
      <ol className={css.attempts}>
        {history.toReversed().map(({ at, status, duration_ms, problem }) => (
          <li key={at}>
            <time dateTime={at} data-tooltip={fullText(at)}>
              {momentText(at)}
            </time>
            <span>
              {problem ?? `Status ${status}.`} <span className="ink-3">{duration_ms.toLocaleString('en-US')} ms</span>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** A text that scrolls on its own, also with the keyboard. */
function Text({ text, empty, label }: { text: string; empty: string; label: string }) {
  if (text === '') return <p className="ink-3">{empty}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard can scroll only what has the focus
    <section className={css.text} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  )
}

/** The body is JSON of ours. */
function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
