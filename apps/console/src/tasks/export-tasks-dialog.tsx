import { ExportDialog } from '#src/ui/list/export-dialog.tsx'
import { listText } from '#src/lib/count.ts'
import { filtersOf } from '#src/lib/list-address.ts'
import { tasksFile } from './bulk-tasks.api.ts'
import type { TaskList } from './tasks.api.ts'

type Props = { list: TaskList; total: string | undefined; onClose: () => void }

export function ExportTasksDialog({ list, total, onClose }: Props) {
  return (
    <ExportDialog
      title="Export Tasks"
      what={listText(total, 'task', filtersOf(list).length > 0)}
      start={(signal) => tasksFile(list, signal)}
      onClose={onClose}
    />
  )
}
