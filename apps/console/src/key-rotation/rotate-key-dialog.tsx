import { NativeSelect } from '@mantine/core'
import { type ApiKey, type GraceSeconds, graceSeconds, rotateApiKey } from '@switchboard/contract/api-keys'
import { GRACE_OPTIONS, lifetimeText } from './key-rotation-labels.ts'
import { useRotateApiKey } from '#src/api-keys/api-keys.api.ts'
import { endOf, type Expiry, ExpiryField, expiryErrors } from '#src/key-settings/expiry-field.tsx'
import { SecretDialog } from '#src/key-settings/secret-dialog.tsx'
import { ConflictNotice } from '#src/ui/form/conflict-notice.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'

type Draft = { grace_seconds: GraceSeconds; expires_at: Expiry }
const DEFAULTS: Draft = { grace_seconds: 86_400, expires_at: { kind: 'same_lifetime' } }

/** Replaces a key by a new key. The old key works until the end of its grace period. */
export function RotateKeyDialog({ apiKey: opened, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const rotation = useRotateApiKey()
  const form = useFormFrame({
    initialValues: DEFAULTS,
    validate: ({ expires_at }) => expiryErrors(expires_at),
    stale: rotateApiKey.schema.response[412],
    send: ({ grace_seconds, expires_at }, latest) =>
      rotation.mutateAsync({ apiKey: latest ?? opened, grace_seconds, expires_at: endOf(expires_at) }),
    failure: 'Failed to rotate API key.',
  })
  const apiKey = form.latest ?? opened
  const grace = form.control('grace_seconds')

  if (rotation.data) {
    return (
      <SecretDialog
        secret={rotation.data.api_key}
        onDone={() => {
          rotation.reset()
          onClose()
        }}
      />
    )
  }
  return (
    <DialogForm
      title="Rotate API Key"
      form={form}
      submit="Rotate Key"
      isSubmitDisabled={form.conflict !== null}
      onClose={onClose}
    >
      {form.conflict && (
        <ConflictNotice
          change="changed this key"
          consequence="Nothing was rotated. Reload to rotate the current key."
          onReload={form.rebase}
        />
      )}
      <p>
        Creates a new key with the same origins to replace <strong dir="auto">{apiKey.name}</strong>.
      </p>
      <NativeSelect
        label="Keep the old key working for"
        data={GRACE_OPTIONS.map(({ seconds, label }) => ({ value: String(seconds), label }))}
        data-autofocus
        {...grace}
        value={String(grace.value)}
        onChange={(event) => grace.onChange(graceSeconds.parse(Number(event.currentTarget.value)))}
      />
      <ExpiryField lifetimeBefore={lifetimeText(apiKey)} {...form.control('expires_at')} />
    </DialogForm>
  )
}
