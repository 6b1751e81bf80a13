import { Button } from '@mantine/core'
import type { Task } from '@switchboard/contract/tasks'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { IconCalendarCheck, IconCalendarPause, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useAllowed, useCan } from '#src/lib/can.ts'
import { HeadActions } from '#src/ui/page/head-actions.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import type { Action } from '#src/ui/table/row-actions.tsx'
import { useRequestedAction } from '#src/ui/table/use-requested-action.ts'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { stateOf, stateReason } from './task-labels.ts'
import { isRetrying, isRunning, usePauseTask } from './tasks.api.ts'
import { useRunTaskNow } from '#src/tasks/runs/run-now.api.ts'

type Props = { task: Task; onEdit: () => void; onDelete: () => void; onIntent: () => void }

/** The actions of a task: run, pause, edit, delete. */
export function TaskActions({ task, onEdit, onDelete, onIntent }: Props) {
  const isPhone = useIsPhone()
  const allowed = useAllowed()
  const canRun = useCan('edit')
  const runNow = useRunTaskNow()
  const togglePause = usePauseTask()
  const historyOf = useHistoryAction('task')
  const name = placeLabel(task.extra_data)
  const refusal = stateOf(task) === 'tenant_inactive' ? stateReason(task) : null

  const actions = allowed<Action>([
    {
      id: 'pause',
      label: task.is_paused ? 'Resume' : 'Pause',
      Icon: task.is_paused ? IconCalendarCheck : IconCalendarPause,
      capability: 'edit',
      onSelect: () => togglePause(task),
    },
    { label: 'Edit', Icon: IconPencil, capability: 'edit', onSelect: onEdit },
    historyOf({ id: task.id, name }),
    { label: 'Delete', Icon: IconTrash, capability: 'delete', danger: true, onSelect: onDelete },
  ])
  const canStart = refusal === null && !isRunning(task) && !isRetrying(task)
  const start: Action = { label: 'Run now', Icon: IconPlayerPlay, capability: 'edit', onSelect: () => runNow(task) }
  const run = canStart && canRun ? [start] : []
  useRequestedAction([task], () => [...actions, ...run])
  return (
    <>
      {!isPhone && <HeadActions label={name} actions={actions} onIntent={onIntent} />}
      {canRun && (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={isRunning(task)}
          disabled={isRetrying(task)}
          {...(refusal !== null && { 'data-disabled': true, 'aria-disabled': true, 'aria-description': refusal })}
          data-tooltip={refusal ?? ''}
          onClick={() => refusal === null && runNow(task)}
        >
          {task.last_run === null ? 'Run task now' : 'Run again'}
        </Button>
      )}
      {isPhone && <MoreMenu label={name} actions={actions} onIntent={onIntent} />}
    </>
  )
}
