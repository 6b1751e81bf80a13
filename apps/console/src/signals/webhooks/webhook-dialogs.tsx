import { NativeSelect } from '@mantine/core'
import { SECRET_OVERLAP_HOURS_DEFAULT, type Webhook, webhookName } from '@switchboard/contract/signals/webhooks'
import { momentText } from '#src/lib/format/moment.ts'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { SecretDialog } from '#src/ui/dialog/secret-dialog.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { EditWebhookDialog } from './edit-webhook-dialog.tsx'
import type { WebhookDialog } from './use-webhook-actions.ts'
import { useDeleteWebhook, useRotateWebhookSecret } from './webhooks.api.ts'

type Props = { webhook: Webhook; onClose: () => void; onDeleted?: () => void }

/** The open dialog about a webhook. */
export function WebhookDialogs({ dialog, ...props }: Props & { dialog: WebhookDialog }) {
  if (dialog === 'edit') return <EditWebhookDialog {...props} />
  return dialog === 'rotate' ? <RotateSecretDialog {...props} /> : <DeleteWebhookDialog {...props} />
}

const OVERLAPS = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'For 1 hour' },
  { value: String(SECRET_OVERLAP_HOURS_DEFAULT), label: 'For 24 hours' },
  { value: '168', label: 'For 7 days' },
]

/** Rotates the secret of a webhook, then shows the new one once. */
function RotateSecretDialog({ webhook, onClose }: Props) {
  const rotation = useRotateWebhookSecret()
  const form = useFormFrame({
    initialValues: { overlap_hours: String(SECRET_OVERLAP_HOURS_DEFAULT) },
    send: ({ overlap_hours }) => rotation.mutateAsync({ id: webhook.id, overlap_hours: Number(overlap_hours) }),
    failure: 'Failed to rotate the secret.',
  })
  if (rotation.data?.secret) {
    const { secret, old_secret_until } = rotation.data
    return (
      <SecretDialog
        title="Secret Rotated"
        noun="secret"
        secret={secret}
        hint={
          old_secret_until === null
            ? 'Deliveries are signed with this secret only.'
            : `Deliveries are also signed with the old secret until ${momentText(old_secret_until)}.`
        }
        onDone={() => {
          rotation.reset()
          onClose()
        }}
      >
        The new secret of <strong dir="auto">{webhookName(webhook)}</strong>.
      </SecretDialog>
    )
  }
  return (
    <DialogForm title="Rotate Secret" form={form} submit="Rotate Secret" onClose={onClose}>
      <p>
        <strong dir="auto">{webhookName(webhook)}</strong> gets a new secret. Give it to the receiver before the old one
        ends.
      </p>
      <NativeSelect
        label="The old secret also signs"
        data={OVERLAPS}
        data-autofocus
        {...form.getInputProps('overlap_hours')}
      />
    </DialogForm>
  )
}

function DeleteWebhookDialog({ webhook, onClose, onDeleted }: Props) {
  const deletion = useDeleteWebhook()
  return (
    <ConfirmDelete
      title="Delete Webhook"
      failure="Failed to delete webhook."
      success={`${webhookName(webhook)} was deleted.`}
      onDelete={() => deletion.mutateAsync(webhook)}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      <p>
        Delete <strong dir="auto">{webhookName(webhook)}</strong> and its delivery log? It gets nothing more. This
        cannot be undone.
      </p>
    </ConfirmDelete>
  )
}
