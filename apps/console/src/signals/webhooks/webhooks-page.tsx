import { Button } from '@mantine/core'
import { type Webhook, webhookName, WEBHOOKS_MAX } from '@switchboard/contract/signals/webhooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useAllowed, useCan } from '#src/lib/can.ts'
import { counted } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { DataTable } from '#src/ui/table/data-table.tsx'
import { useWebhookActions, type WebhookDialog } from './use-webhook-actions.ts'
import { webhooksQuery } from './webhooks.api.ts'
import { WEBHOOK_COLUMNS, WebhookPhoneRow } from './webhooks-table.tsx'

const CreateWebhookDialog = lazyPart(() =>
  import('./create-webhook-dialog.tsx').then((code) => code.CreateWebhookDialog),
)
const WebhookDialogs = lazyPart(() => import('./webhook-dialogs.tsx').then((code) => code.WebhookDialogs))

type Open = { kind: 'none' | 'create' } | { kind: WebhookDialog; webhook: Webhook }

/** Webhooks: addresses that get events. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery)
  const mayChange = useCan('signals')
  const allowed = useAllowed()
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const actionsOf = useWebhookActions((kind, webhook) => setOpen({ kind, webhook }))
  const close = () => setOpen({ kind: 'none' })
  const count = webhooks.data?.length
  const newWebhook = mayChange && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onPointerEnter={() => void CreateWebhookDialog.preload()}
      onClick={() => setOpen({ kind: 'create' })}
    >
      New Webhook
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      subtitle={
        count === WEBHOOKS_MAX
          ? `There can be ${WEBHOOKS_MAX} webhooks. Delete one to add another.`
          : 'Addresses that get each event within seconds, signed and in order'
      }
      action={count !== undefined && count > 0 && count < WEBHOOKS_MAX && newWebhook}
    >
      <Announcement>{count === undefined ? 'Loading webhooks...' : counted(count, 'webhook')}</Announcement>
      {webhooks.isLoadingError ? (
        <LoadError title="The webhooks could not be loaded" queries={[webhooks]} />
      ) : count === 0 ? (
        <EmptyState
          title="No webhooks yet"
          help="A webhook tells a program, Slack or Microsoft Teams what happens here, such as a new tenant."
          action={newWebhook}
        />
      ) : (
        <DataTable
          label="Webhooks"
          columns={WEBHOOK_COLUMNS}
          rows={webhooks.data}
          rowId={({ id }) => id}
          nameOf={webhookName}
          actionsOf={(webhook) => allowed(actionsOf(webhook))}
          renderPhoneRow={(webhook) => <WebhookPhoneRow webhook={webhook} />}
        />
      )}
      <Suspense>
        {open.kind === 'create' && <CreateWebhookDialog onClose={close} />}
        {'webhook' in open && <WebhookDialogs dialog={open.kind} webhook={open.webhook} onClose={close} />}
      </Suspense>
    </Page>
  )
}
