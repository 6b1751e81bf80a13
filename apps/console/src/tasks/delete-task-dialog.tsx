import type { Task } from '@switchboard/contract/tasks'
import { taskName } from '@switchboard/contract/tasks/task-name'
import { UNDO_HINT } from '#src/lib/notify.ts'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { SCHEDULE_LABELS } from './task-labels.ts'
import { restoreDeletedTask, useDeleteTask } from './tasks.api.ts'

type Props = { task: Task; onDeleted: () => void; onClose: () => void }

/** Asks before a task with its runs and reviews is deleted. */
export function DeleteTaskDialog({ task, ...on }: Props) {
  const deletion = useDeleteTask()
  return (
    <ConfirmDelete
      title="Delete Task"
      failure="Failed to delete task."
      success={`${taskName(task)} was deleted.`}
      onDelete={() => deletion.mutateAsync(task)}
      undo={{ about: task.id, onUndo: () => restoreDeletedTask(task) }}
      {...on}
    >
      <p>
        Delete {SCHEDULE_LABELS[task.schedule_name]} of <strong dir="auto">{taskName(task)}</strong>? Its runs and
        reviews are removed too. {UNDO_HINT} To keep them, pause it instead.
      </p>
    </ConfirmDelete>
  )
}
