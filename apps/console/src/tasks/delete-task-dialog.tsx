import type { Task } from '@switchboard/contract/tasks'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { SCHEDULE_LABELS } from './schedule-labels.ts'
import { useDeleteTask } from './tasks.api.ts'

type Props = { task: Task; onDeleted?: () => void; onClose: () => void }

/** Asks before a task is removed (spec §2, Tasks). */
export function DeleteTaskDialog({ task, onDeleted, onClose }: Props) {
  const deletion = useDeleteTask()
  const name = SCHEDULE_LABELS[task.schedule_name]

  function deleteTask() {
    deletion.mutate(task, {
      onSuccess: () => {
        onClose()
        notify('ok', `Task "${name}" for ${task.tenant_name} was deleted.`)
        onDeleted?.()
      },
    })
  }

  return (
    <ConfirmDialog
      title="Delete Task"
      tone="danger"
      confirmLabel="Delete"
      busy={deletion.isPending}
      error={deletion.isError ? messageOf(deletion.error, 'Failed to delete task.') : null}
      onConfirm={deleteTask}
      onClose={onClose}
    >
      <p>
        Delete <strong>{name}</strong> for <strong dir="auto">{task.tenant_name}</strong>? This cannot be undone and
        removes its runs and reviews. To keep them, pause it instead.
      </p>
    </ConfirmDialog>
  )
}
