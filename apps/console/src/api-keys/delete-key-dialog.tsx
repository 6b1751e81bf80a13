import type { ApiKey } from '@switchboard/contract/api-keys'
import { UNDO_HINT } from '#src/lib/notify.ts'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { maskedId } from './api-key-labels.ts'
import { restoreDeletedKey, useDeleteApiKey } from './api-keys.api.ts'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'

type Props = { apiKey: ApiKey; onDeleted: () => void; onClose: () => void }

/** Asks before a key is deleted. */
export function DeleteKeyDialog({ apiKey, ...on }: Props) {
  const deletion = useDeleteApiKey()
  return (
    <ConfirmDelete
      title="Delete API Key"
      failure="Failed to delete API key."
      success={`${apiKey.name} was deleted.`}
      onDelete={() => deletion.mutateAsync(apiKey)}
      undo={{ about: apiKey.id, onUndo: () => restoreDeletedKey(apiKey) }}
      {...on}
    >
      <p>
        Delete <TestBadge apiKey={apiKey} /> <strong dir="auto">{apiKey.name}</strong> ({maskedId(apiKey)})? Every call
        with this key is refused within a second. {UNDO_HINT}
      </p>
    </ConfirmDelete>
  )
}
