import { NativeSelect } from '@mantine/core'
import { webhookFormat, type WebhookFormat, webhookName } from '@switchboard/contract/signals/webhooks'
import { notify } from '#src/lib/notify.ts'
import { SecretDialog } from '#src/ui/dialog/secret-dialog.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { problemsOf, type WebhookDraft, WebhookFields } from './webhook-fields.tsx'
import { FORMAT_LABELS } from './webhook-labels.ts'
import { useCreateWebhook } from './webhooks.api.ts'

type Draft = WebhookDraft & { format: WebhookFormat }

/** Creates a webhook, then shows its secret once. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const creation = useCreateWebhook()
  const initialValues: Draft = { format: 'standard', url: '', description: '', event_types: null }
  const form = useFormFrame({
    initialValues,
    validate: (draft) => problemsOf(draft),
    send: ({ event_types, ...draft }) => creation.mutateAsync({ ...draft, event_types: event_types ?? [] }),
    onSaved: (webhook) => {
      if (webhook.secret !== null) return
      onClose()
      notify('ok', `${webhookName(webhook)} was created. Send a test to try it.`)
    },
    failure: 'Failed to create webhook.',
  })
  if (creation.data?.secret) {
    return (
      <SecretDialog
        title="Webhook Created"
        noun="secret"
        secret={creation.data.secret}
        hint="The receiver checks with it that an event comes from here. Then send a test."
        onDone={() => {
          creation.reset()
          onClose()
        }}
      >
        The secret of <strong dir="auto">{webhookName(creation.data)}</strong>.
      </SecretDialog>
    )
  }
  return (
    <DialogForm title="New Webhook" size="lg" form={form} submit="Create Webhook" onClose={onClose}>
      <NativeSelect
        label="Format"
        data={webhookFormat.options.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
        {...form.getInputProps('format')}
      />
      <WebhookFields format={form.values.format} form={form} />
    </DialogForm>
  )
}
