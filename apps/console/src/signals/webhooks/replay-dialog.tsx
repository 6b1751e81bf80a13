import { TextInput } from '@mantine/core'
import { type Webhook, webhookName } from '@switchboard/contract/signals/webhooks'
import { counted } from '#src/lib/format/count.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { notify } from '#src/lib/notify.ts'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { useReplayWebhook } from './webhooks.api.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Sends the events since a time again. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const replay = useReplayWebhook()
  const form = useFormFrame({
    initialValues: { since: localTime(serverNow() - DAY_MS), delivered: false },
    validate: ({ since }) => ({ since: Number.isNaN(Date.parse(since)) && 'Choose a date and a time.' }),
    send: ({ since, delivered }) =>
      replay.mutateAsync({ id: webhook.id, body: { since: new Date(since).toISOString(), delivered } }),
    onSaved: ({ replayed }) => {
      onClose()
      notify(
        'ok',
        replayed === 0
          ? 'There was nothing to replay.'
          : `${counted(replayed, 'event')} will be sent again${webhook.is_active ? '' : ' when the webhook is switched on'}.`,
      )
    },
    failure: 'The deliveries could not be replayed.',
  })
  return (
    <DialogForm title="Replay Deliveries" form={form} submit="Replay" onClose={onClose}>
      <p>
        <strong dir="auto">{webhookName(webhook)}</strong> gets each event again with the same id, in order.
      </p>
      <TextInput label="Events since" type="datetime-local" required data-autofocus {...form.getInputProps('since')} />
      <CheckField
        label="Also events that were delivered"
        help="Otherwise only those that failed, or are retried later."
        checked={form.values.delivered}
        disabled={form.submitting}
        onChange={form.control('delivered').onChange}
      />
    </DialogForm>
  )
}

/** A moment as the input has it: local, to the minute. */
function localTime(ms: number): string {
  const offset = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offset).toISOString().slice(0, 16)
}
