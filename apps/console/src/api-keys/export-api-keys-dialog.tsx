import type { KeyAttention } from '@switchboard/contract/api-keys'
import { ExportDialog } from '#src/ui/list/export-dialog.tsx'
import { apiKeysFile, type KeyList } from './bulk-api-keys.api.ts'

const NARROWED = {
  keys_expiring: 'The API keys about to expire',
  keys_refused: 'The API keys with recent refusals',
} satisfies Record<KeyAttention, string>

type Props = { list: KeyList; onClose: () => void }

export function ExportApiKeysDialog({ list, onClose }: Props) {
  const which = list.attention === undefined ? 'The API keys' : NARROWED[list.attention]
  return (
    <ExportDialog
      title="Export API Keys"
      what={`${which} of all ${list.q === undefined ? 'tenants' : 'matching tenants'}`}
      start={(signal) => apiKeysFile(list, signal)}
      onClose={onClose}
    />
  )
}
