import { NativeSelect } from '@mantine/core'
import { type ApiKey, rotateApiKey } from '@switchboard/contract/api-keys'
import { fittingGrace, GRACE_OPTIONS, lastUseText, lifetimeText } from './key-rotation-labels.ts'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'
import { useRotateApiKey } from '#src/api-keys/api-keys.api.ts'
import { endOf, type Expiry, ExpiryField, expiryErrors } from '#src/api-keys/settings/expiry-field.tsx'
import { KeySecretDialog } from '#src/api-keys/settings/key-secret-dialog.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { ConflictNotice } from '#src/ui/form/conflict-notice.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'

type Draft = { grace_seconds: number; expires_at: Expiry }

/** Replaces a key by a new key. The old key works until the end of its grace period. */
export function RotateKeyDialog({ apiKey: opened, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const rotation = useRotateApiKey()
  const initialValues: Draft = {
    grace_seconds: fittingGrace(opened),
    expires_at: { kind: 'same_lifetime' },
  }
  const form = useFormFrame({
    initialValues,
    validate: ({ expires_at }) => expiryErrors(expires_at),
    record: opened,
    about: { id: opened.id, noun: 'key' },
    stale: rotateApiKey.schema.response[412],
    send: ({ grace_seconds, expires_at }, latest) =>
      rotation.mutateAsync({ apiKey: latest ?? opened, grace_seconds, expires_at: endOf(expires_at) }),
    failure: 'Failed to rotate API key.',
  })
  const apiKey = form.latest ?? opened
  const grace = form.control('grace_seconds')
  const isRevoked = grace.value === 0

  if (rotation.data) {
    return (
      <KeySecretDialog
        apiKey={rotation.data}
        onDone={() => {
          rotation.reset()
          onClose()
        }}
      />
    )
  }
  return (
    <DialogForm title="Rotate API Key" form={form} submit="Rotate Key" isDanger={isRevoked} onClose={onClose}>
      {form.conflict && (
        <ConflictNotice
          change="changed this key"
          consequence="Nothing was rotated. Reload to rotate the current key."
          onReload={form.rebase}
        />
      )}
      <p>
        Creates a new key with the same origins to replace <TestBadge apiKey={apiKey} />{' '}
        <strong dir="auto">{apiKey.name}</strong>. The old key was {lastUseText(apiKey)}.
      </p>
      <NativeSelect
        label="Keep the old key working for"
        data={GRACE_OPTIONS.map(({ seconds, label }) => ({ value: String(seconds), label }))}
        data-autofocus
        {...grace}
        value={String(grace.value)}
        onChange={(event) => grace.onChange(Number(event.currentTarget.value))}
      />
      {isRevoked && (
        <Notice tone="bad">Calls with the old key are refused within a second. Callers that still use it break.</Notice>
      )}
      <ExpiryField lifetimeBefore={lifetimeText(apiKey)} {...form.control('expires_at')} />
    </DialogForm>
  )
}
