import { ExportDialog } from '#src/ui/list/export-dialog.tsx'
import { listText } from '#src/lib/count.ts'
import { filtersOf } from '#src/lib/list-address.ts'
import { usersFile } from './bulk-users.api.ts'
import type { UserList } from './users.api.ts'

type Props = { list: UserList; total: string | undefined; onClose: () => void }

export function ExportUsersDialog({ list, total, onClose }: Props) {
  return (
    <ExportDialog
      title="Export Users"
      what={listText(total, 'user', filtersOf(list).length > 0)}
      start={(signal) => usersFile(list, signal)}
      onClose={onClose}
    />
  )
}
