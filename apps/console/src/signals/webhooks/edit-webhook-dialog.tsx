import { staleWebhook, type Webhook, webhookName } from '@switchboard/contract/signals/webhooks'
import { notify } from '#src/lib/notify.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { problemsOf, type WebhookDraft, WebhookFields } from './webhook-fields.tsx'
import { useUpdateWebhook } from './webhooks.api.ts'

/** Edits the version of a webhook that the dialog was opened with. A blank secret address stays as it is. */
export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const update = useUpdateWebhook()
  const isUrlOptional = webhook.format !== 'standard'
  const form = useFormFrame({
    initialValues: draftOf(webhook),
    validate: (draft) => problemsOf(draft, isUrlOptional),
    record: webhook,
    about: { id: webhook.id, noun: 'webhook' },
    stale: staleWebhook,
    send: ({ url, description, event_types }, latest) =>
      update.mutateAsync({
        id: webhook.id,
        version: (latest ?? webhook).version,
        body: { ...(url.trim() !== '' && { url }), description, event_types: event_types ?? [] },
      }),
    onSaved: (saved) => {
      onClose()
      notify('ok', `${webhookName(saved)} was saved.`)
    },
    failure: 'Failed to update webhook.',
  })
  return (
    <DialogForm title="Edit Webhook" size="lg" form={form} submit="Save Changes" onClose={onClose}>
      <RecordConflict
        form={form}
        draftOf={draftOf}
        differencesTo={(saved) => differences(FIELDS, draftOf(saved), form.values)}
      />
      <WebhookFields format={webhook.format} form={form} isUrlOptional={isUrlOptional} />
    </DialogForm>
  )
}

function draftOf({ format, url, description, event_types }: Webhook): WebhookDraft {
  return {
    url: format === 'standard' ? url : '',
    description,
    event_types: event_types.length === 0 ? null : event_types,
  }
}

const FIELDS: ComparedField<WebhookDraft>[] = [
  { label: 'Address', text: ({ url }) => url },
  { label: 'Description', text: ({ description }) => description },
  { label: 'Events', text: ({ event_types }) => event_types?.toSorted().join(', ') ?? 'Every event' },
]
