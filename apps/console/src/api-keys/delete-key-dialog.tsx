import type { ApiKey } from '@switchboard/contract/api-keys'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { maskedId } from './api-key-labels.ts'
import { useDeleteApiKey } from './api-keys.api.ts'
import { TestBadge } from '#src/key-settings/test-badge.tsx'

type Props = { apiKey: ApiKey; onDeleted: () => void; onClose: () => void }

/** Asks before a key is revoked and hidden. */
export function DeleteKeyDialog({ apiKey, ...on }: Props) {
  const deletion = useDeleteApiKey()
  return (
    <ConfirmDelete
      title="Delete API Key"
      failure="Failed to delete API key."
      success={`${apiKey.name} was deleted.`}
      onDelete={() => deletion.mutateAsync(apiKey)}
      {...on}
    >
      <p>
        Delete <TestBadge apiKey={apiKey} /> <strong dir="auto">{apiKey.name}</strong> ({maskedId(apiKey)})? Every call
        with this key is refused within a second. This cannot be undone.
      </p>
    </ConfirmDelete>
  )
}
