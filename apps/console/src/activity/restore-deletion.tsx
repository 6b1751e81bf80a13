import { Button } from '@mantine/core'
import type { AuditRow } from '@switchboard/contract/activity'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '#src/lib/can.ts'
import { useRestore } from '#src/ui/list/deleted-records.tsx'
import { type Deletion, isRecentDeletion, stillDeletedQuery, restoreRecord } from './restore-deletion.api.ts'

/**
 * A button that restores the record of a recent deletion. Renders nothing for other rows, and once the record is
 * restored or permanently deleted.
 */
export function RestoreDeletion({ row, size = 'compact-sm' }: { row: AuditRow } & Size) {
  const canRestore = useCan('delete')
  return canRestore && isRecentDeletion(row) ? <RestoreButton row={row} size={size} /> : null
}

type Size = { size?: 'compact-sm' | 'sm' }

function RestoreButton({ row, size = 'compact-sm' }: { row: Deletion } & Size) {
  const isDeleted = useQuery(stillDeletedQuery(row)).data
  const { action, target_id: id, target_name } = row
  const restoring = useRestore(restoreRecord, ({ name }) => name)
  if (!isDeleted) return null
  return (
    <Button
      variant="default"
      size={size}
      flex="none"
      aria-label={`Restore ${target_name ?? ''}`}
      disabled={restoring.isPending}
      onClick={() => restoring.mutate({ action, id, name: target_name ?? id })}
    >
      Restore
    </Button>
  )
}
