import { type Webhook, webhookName } from '@switchboard/contract/signals/webhooks'
import { eventType } from '@switchboard/contract/signals/events'
import { TEST_EVENT_TYPE } from '@switchboard/contract/signals/webhook-messages'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAllowed } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import type { Filter } from '#src/lists/filters.ts'
import { LIST_PAGE } from '#src/lists/list-page.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import { Banner } from '#src/ui/notice/banner.tsx'
import { Breadcrumb } from '#src/ui/page/breadcrumb.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { HeadActions } from '#src/ui/page/head-actions.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { DELIVERY_COLUMNS, DeliveryPhoneRow } from './deliveries-table.tsx'
import { useWebhookActions, type WebhookDialog } from './use-webhook-actions.ts'
import { DELIVERY_OPTIONS, deliveryText, DISABLED_REASONS, eventsText, FORMAT_LABELS } from './webhook-labels.ts'
import { type DeliveryList, deliveryPageQuery, deliveryPages, webhooksQuery } from './webhooks.api.ts'

const WebhookDialogs = lazyPart(() => import('./webhook-dialogs.tsx').then((code) => code.WebhookDialogs))
const ReplayDialog = lazyPart(() => import('./replay-dialog.tsx').then((code) => code.ReplayDialog))
const DeliveryDrawer = lazyPart(() => import('./delivery-drawer.tsx').then((code) => code.DeliveryDrawer))

const route = getRouteApi('/signed-in/settings/webhooks/$webhookId')

const SORTS = [
  { value: '-at', label: 'Newest' },
  { value: 'at', label: 'Oldest' },
] satisfies { value: DeliveryList['sort']; label: string }[]

const FILTERS: Filter<keyof DeliveryList>[] = [
  { kind: 'options', name: 'state', label: 'State', options: DELIVERY_OPTIONS },
  {
    kind: 'options',
    name: 'event_type',
    label: 'Event',
    options: [...eventType.options, TEST_EVENT_TYPE].map((value) => ({ value, label: value })),
  },
  { kind: 'days', label: 'When', from: 'from', to: 'to' },
]

/** A webhook with its delivery log. */
export function WebhookPage() {
  const { webhookId } = route.useParams()
  const webhooks = useQuery(webhooksQuery)
  const webhook = webhooks.data?.find(({ id }) => id === webhookId)
  if (webhook !== undefined) return <Deliveries webhook={webhook} />
  return (
    <Page title="Webhook" subtitle={webhooks.isPending ? 'Loading webhook...' : ''} breadcrumb={<ToWebhooks />}>
      {webhooks.isLoadingError ? (
        <LoadError title="The webhook could not be loaded" queries={[webhooks]} />
      ) : (
        webhooks.data && (
          <EmptyState
            title="Webhook not found"
            help="It may have been deleted, or the link is incomplete."
            action={
              <ButtonLink to="/settings/webhooks" variant="default">
                All Webhooks
              </ButtonLink>
            }
          />
        )
      )}
    </Page>
  )
}

type Open = WebhookDialog | 'replay' | 'none'

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { delivery, ...search } = route.useSearch()
  const list = deliveryPages.listOf({ ...search, webhook_id: webhook.id })
  const deliveries = useQuery({ ...deliveryPageQuery(list), ...LIST_PAGE })
  const navigate = useNavigate()
  const allowed = useAllowed()
  const isPhone = useIsPhone()
  const [open, setOpen] = useState<Open>('none')
  const close = () => setOpen('none')
  const [test, ...others] = useWebhookActions(setOpen)(webhook)
  const replay = {
    label: 'Replay Since',
    Icon: IconRefresh,
    capability: 'signals' as const,
    onSelect: () => setOpen('replay'),
  }
  const main = allowed(test === undefined ? [] : [test])
  const rest = allowed([replay, ...others])
  const all = deliveryPages.useTotal(deliveryPages.listOf({ webhook_id: webhook.id }), list)
  // The webhook is in the path, and no filter that can be cleared.
  const filters = { ...list, webhook_id: undefined }

  return (
    <ListScreen
      title={webhookName(webhook)}
      subtitle={`${webhook.url} · ${FORMAT_LABELS[webhook.format]} · ${eventsText(webhook)}`}
      breadcrumb={<ToWebhooks />}
      noun="event"
      list={filters}
      query={deliveries}
      all={all}
      action={<HeadActions label={`webhook ${webhookName(webhook)}`} actions={main} more={isPhone ? [] : rest} />}
      phoneActions={rest}
      alert={<State webhook={webhook} />}
      sorts={SORTS}
      filters={FILTERS}
      empty={{
        searchHelp: 'Days are those of UTC.',
        title: 'No deliveries yet',
        help: 'Each event appears here with its answer, and stays for 30 days.',
      }}
      columns={DELIVERY_COLUMNS}
      nameOf={deliveryText}
      renderPhoneRow={(row) => <DeliveryPhoneRow delivery={row} />}
    >
      {open === 'replay' && <ReplayDialog webhook={webhook} onClose={close} />}
      {open !== 'none' && open !== 'replay' && (
        <WebhookDialogs
          dialog={open}
          webhook={webhook}
          onClose={close}
          onDeleted={() => void navigate({ to: '/settings/webhooks' })}
        />
      )}
      {delivery !== undefined && (
        <DeliveryDrawer
          id={delivery}
          webhook={webhook}
          onClose={() =>
            void navigate({
              to: '.',
              search: (before) => ({ ...before, delivery: undefined }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      )}
    </ListScreen>
  )
}

/** Why the webhook gets nothing, or has trouble. */
function State({ webhook: { is_active, disabled_reason, failing_since, waiting } }: { webhook: Webhook }) {
  if (disabled_reason !== null)
    return (
      <Banner tone="bad" lead="Disabled" reason={DISABLED_REASONS[disabled_reason]}>
        Mend the receiver, send a test, and switch the webhook on. It then gets what it has missed.
      </Banner>
    )
  if (!is_active)
    return (
      <Banner tone="warn" lead="Off">
        Events wait for up to 30 days, until the webhook is switched on.
      </Banner>
    )
  if (failing_since === null) return null
  return (
    <Banner tone="warn" lead="The receiver fails">
      {waiting > 0 && 'Deliveries are attempted for three days, then the webhook is disabled.'}
    </Banner>
  )
}

function ToWebhooks() {
  return (
    <Breadcrumb>
      <Link to="/settings/webhooks">Webhooks</Link>
    </Breadcrumb>
  )
}
