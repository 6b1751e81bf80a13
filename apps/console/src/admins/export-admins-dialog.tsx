import { ExportDialog } from '#src/components/export-dialog.tsx'
import { listText } from '#src/lib/count.ts'
import { filtersOf } from '#src/lib/list-address.ts'
import { adminsFile } from './many-admins.api.ts'
import type { AdminList } from './admins.api.ts'

type Props = { list: AdminList; total: string | undefined; onClose: () => void }

export function ExportAdminsDialog({ list, total, onClose }: Props) {
  return (
    <ExportDialog
      title="Export Users"
      what={listText(total, 'user', filtersOf(list).length > 0)}
      start={(signal) => adminsFile(list, signal)}
      onClose={onClose}
    />
  )
}
