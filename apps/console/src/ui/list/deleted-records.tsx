import { DAY_MS } from '@switchboard/contract/wire/days'
import { DELETION_KEPT_DAYS } from '@switchboard/contract/wire/deletions'
import { IconRestore } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { shortDayText } from '#src/lib/format/moment.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import type { Column } from '#src/ui/table/column.ts'
import type { Action } from '#src/ui/table/action.ts'
import { Day } from '#src/ui/time/day.tsx'

// Deleted records in a list: they can be restored for thirty days.

type Deletable = { id: string; deleted_at: string | null }

/** When a deleted record can no longer be restored. */
export function keptUntil(deletedAt: string): string {
  return new Date(Date.parse(deletedAt) + DELETION_KEPT_DAYS * DAY_MS).toISOString()
}

/** "kept until Dec 28", for the row of a deleted record on a phone. */
export function keptUntilText(deletedAt: string): string {
  return `kept until ${shortDayText(keptUntil(deletedAt))}`
}

/** The columns of deleted records: "Kept until" in place of the column `head`. */
export function columnsOfDeleted<Row extends Deletable>(columns: readonly Column<Row>[], head: string): Column<Row>[] {
  return columns.map((column) =>
    column.head === head
      ? {
          head: 'Kept until',
          cell: ({ deleted_at }) => deleted_at && <Day moment={keptUntil(deleted_at)} />,
          skeleton: '80px',
        }
      : column,
  )
}

/** Restores deleted records and reports each result: `restore` returns the sentence. */
export function useRestore<Row extends { id: string }>(
  restore: (row: Row) => Promise<string>,
  nameOf: (row: Row) => string,
) {
  const restoring = useMutation({
    mutationFn: restore,
    onSuccess: (done, { id }) => notify('ok', done, { about: id }),
    onError: (error, row) =>
      notifyFailure(error, `${nameOf(row)} could not be restored.`, {
        about: row.id,
        onRetry: () => restoring.mutate(row),
      }),
  })
  return restoring
}

/** The action of a row that restores it. */
export function useRestoreAction<Row extends Deletable>(...how: Parameters<typeof useRestore<Row>>) {
  const { mutate } = useRestore(...how)
  return (row: Row): Action => ({
    label: 'Restore',
    Icon: IconRestore,
    capability: 'delete',
    onSelect: () => mutate(row),
  })
}
