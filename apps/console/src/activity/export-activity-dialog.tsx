import { ExportDialog } from '#src/ui/list/export-dialog.tsx'
import { listText } from '#src/lib/count.ts'
import { filtersOf } from '#src/lib/list-address.ts'
import { type ActivityList, activityFile } from './activity.api.ts'

type Props = { list: ActivityList; total: string | undefined; onClose: () => void }

export function ExportActivityDialog({ list, total, onClose }: Props) {
  return (
    <ExportDialog
      title="Export Activity"
      what={listText(total, 'row', filtersOf(list).length > 0)}
      start={(signal) => activityFile(list, signal)}
      onClose={onClose}
    />
  )
}
