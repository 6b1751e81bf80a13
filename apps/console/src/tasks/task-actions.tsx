import { Button } from '@mantine/core'
import type { Task } from '@switchboard/contract/tasks'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { IconCalendarCheck, IconCalendarPause, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useAllowed, useCan } from '#src/lib/can.ts'
import { useRunTaskNow } from '#src/tasks/runs/run-now.api.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { HeadActions } from '#src/ui/page/head-actions.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { useRequestedAction } from '#src/ui/table/use-requested-action.ts'
import { stateOf, stateReason } from './task-labels.ts'
import type { TaskProblem } from './task-problem.ts'
import { isRetrying, isRunning, usePauseTask } from './tasks.api.ts'

type Props = {
  task: Task
  /** The problem in the banner, which has the button that mends it. */
  problem: TaskProblem | null
  onEdit: () => void
  onDelete: () => void
  onIntent: () => void
}

/** The actions of a task: run, edit, pause, delete. */
export function TaskActions({ task, problem, onEdit, onDelete, onIntent }: Props) {
  const allowed = useAllowed()
  const canRun = useCan('edit')
  const runNow = useRunTaskNow()
  const togglePause = usePauseTask()
  const historyOf = useHistoryAction('task')
  const name = placeLabel(task.extra_data)
  const refusal = stateOf(task) === 'tenant_inactive' ? stateReason(task) : null

  const edit: Action = { label: 'Edit', Icon: IconPencil, capability: 'edit', onSelect: onEdit }
  const pause: Action = {
    label: task.is_paused ? 'Resume' : 'Pause',
    Icon: task.is_paused ? IconCalendarCheck : IconCalendarPause,
    capability: 'edit',
    onSelect: () => {
      // A pause moves the button into the banner.
      focusTitle()
      togglePause(task)
    },
  }
  const remove: Action = { label: 'Delete', Icon: IconTrash, capability: 'delete', danger: true, onSelect: onDelete }
  const canStart = refusal === null && !isRunning(task) && !isRetrying(task)
  const start: Action = { label: 'Run Now', Icon: IconPlayerPlay, capability: 'edit', onSelect: () => runNow(task) }
  useRequestedAction([task], () => allowed([edit, pause, remove, ...(canStart ? [start] : [])]))
  return (
    <HeadActions
      label={name}
      actions={allowed([edit, ...(problem?.remedy === 'resume' ? [] : [pause])])}
      more={allowed([historyOf(task), remove])}
      onIntent={onIntent}
    >
      {canRun && problem?.remedy !== 'run' && (
        <Button
          variant={task.last_outcome === null ? 'filled' : 'default'}
          loading={isRunning(task)}
          disabled={isRetrying(task)}
          {...(refusal !== null && { 'data-disabled': true, 'aria-disabled': true, 'aria-description': refusal })}
          data-tooltip={refusal ?? ''}
          onClick={() => refusal === null && runNow(task)}
        >
          {task.last_run === null ? 'Run task now' : 'Run Again'}
        </Button>
      )}
    </HeadActions>
  )
}
