import type { ApiKey } from '@switchboard/contract/api-keys'
import { useEndGrace } from '#src/api-keys/api-keys.api.ts'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'
import { notify } from '#src/lib/notify.ts'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { lastUseText } from './key-rotation-labels.ts'

/** Asks before a replaced key is revoked earlier than planned. */
export function EndGraceDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const ending = useEndGrace()

  async function end() {
    await ending.mutateAsync(apiKey)
    onClose()
    notify('ok', `The old key of ${apiKey.name} is revoked.`)
  }

  return (
    <ConfirmDialog
      title="Revoke Old Key Now"
      tone="warning"
      confirmLabel="Revoke"
      failure="Failed to revoke the old key."
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        The old key of <TestBadge apiKey={apiKey} /> <strong dir="auto">{apiKey.name}</strong> was {lastUseText(apiKey)}
        . It will be refused from now on.
      </p>
    </ConfirmDialog>
  )
}
