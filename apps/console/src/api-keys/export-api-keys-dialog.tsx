import { ExportDialog } from '#src/components/export-dialog.tsx'
import { apiKeysFile, type KeyList } from './many-api-keys.api.ts'

type Props = { list: KeyList; onClose: () => void }

export function ExportApiKeysDialog({ list, onClose }: Props) {
  return (
    <ExportDialog
      title="Export API Keys"
      what={list.q === undefined ? 'The API keys of all tenants' : 'The API keys of all matching tenants'}
      start={(signal) => apiKeysFile(list, signal)}
      onClose={onClose}
    />
  )
}
