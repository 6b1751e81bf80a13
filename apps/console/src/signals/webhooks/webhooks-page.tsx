import { webhookName } from '@switchboard/contract/signals/webhooks'
import { useQuery } from '@tanstack/react-query'
import { counted } from '#src/lib/format/count.ts'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { DataTable } from '#src/ui/table/data-table.tsx'
import { webhooksQuery } from './webhooks.api.ts'
import { WEBHOOK_COLUMNS, WebhookPhoneRow } from './webhooks-table.tsx'

/** Webhooks: addresses that get events. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery)
  const count = webhooks.data?.length
  return (
    <Page title="Webhooks" subtitle="Addresses that get each event within seconds, signed and in order">
      <Announcement>{count === undefined ? 'Loading webhooks...' : counted(count, 'webhook')}</Announcement>
      {webhooks.isLoadingError ? (
        <LoadError title="The webhooks could not be loaded" queries={[webhooks]} />
      ) : count === 0 ? (
        <EmptyState
          title="No webhooks yet"
          help="A webhook tells a program, Slack or Microsoft Teams what happens here, such as a new tenant."
        />
      ) : (
        <DataTable
          label="Webhooks"
          columns={WEBHOOK_COLUMNS}
          rows={webhooks.data}
          rowId={({ id }) => id}
          nameOf={webhookName}
          renderPhoneRow={(webhook) => <WebhookPhoneRow webhook={webhook} />}
        />
      )}
    </Page>
  )
}
