import type { ApiKey } from '@switchboard/contract/api-keys'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { maskedId } from './api-key-labels.ts'
import { useDeleteApiKey } from './api-keys.api.ts'

/** Asks before a key is revoked and hidden for good (spec §2, API keys). */
export function DeleteKeyDialog({
  apiKey,
  onDeleted,
  onClose,
}: {
  apiKey: ApiKey
  onDeleted: () => void
  onClose: () => void
}) {
  const deletion = useDeleteApiKey()

  function deleteKey() {
    deletion.mutate(apiKey, {
      onSuccess: () => {
        onClose()
        notify('ok', `${apiKey.name} was deleted.`)
        onDeleted()
      },
    })
  }

  return (
    <ConfirmDialog
      title="Delete API Key"
      tone="danger"
      confirmLabel="Delete"
      busy={deletion.isPending}
      error={deletion.isError ? messageOf(deletion.error, 'Failed to delete API key.') : null}
      onConfirm={deleteKey}
      onClose={onClose}
    >
      <p>
        Delete <strong dir="auto">{apiKey.name}</strong> ({maskedId(apiKey)})? Whatever uses it is refused within a
        second. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
