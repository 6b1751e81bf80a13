import { Loader } from '@mantine/core'
import type { Task } from '@switchboard/contract/tasks'
import { Link } from '@tanstack/react-router'
import { Badge } from '#src/ui/page/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { Day } from '#src/ui/page/day.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { relativeText } from '#src/lib/format/moment.ts'
import { FREQUENCY_LABELS, OUTCOME_BADGES, SCHEDULE_LABELS } from './task-labels.ts'
import { isRetrying, isRunning } from './tasks.api.ts'
import css from './tasks-table.module.css'

export const TASK_COLUMNS: Column<Task>[] = [
  {
    head: 'Tenant',
    cell: (task) => <TaskLink task={task} />,
    sort: { by: 'tenant_name', first: 'ascending' },
    skeleton: '65%',
  },
  { head: 'Task', cell: (task) => <What task={task} />, width: '18%', visibleFrom: 'medium', skeleton: '70%' },
  { head: 'Frequency', cell: (task) => FREQUENCY_LABELS[task.frequency], width: '96px', skeleton: '56px' },
  { head: 'Last Run', cell: (task) => <LastRun task={task} />, width: '138px', skeleton: '80px' },
  {
    head: 'Next Run',
    cell: (task) => <NextRun task={task} />,
    sort: { by: 'next_run', first: 'ascending' },
    width: '122px',
    skeleton: '80px',
  },
  {
    head: 'Created At',
    cell: (task) => <Day moment={task.created_at} />,
    sort: { by: 'created_at', first: 'descending' },
    width: '122px',
    visibleFrom: 'wide',
    skeleton: '80px',
  },
]

/** A task on a phone. */
export function TaskPhoneRow({ task }: { task: Task }) {
  return (
    <PhoneRow
      name={<TaskLink task={task} />}
      badge={task.running_run_id !== null || task.last_outcome === 'failed' ? <LastState task={task} /> : null}
      facts={[
        FREQUENCY_LABELS[task.frequency],
        <NextRun key="next" task={task} />,
        SCHEDULE_LABELS[task.schedule_name],
      ]}
    />
  )
}

/** The tenant's name, a link to the page of the task. */
function TaskLink({ task }: { task: Task }) {
  return (
    <Link to="/tasks/$taskId" params={{ taskId: task.id }} dir="auto" className={css.tenant} data-tooltip="cut">
      {task.tenant_name}
    </Link>
  )
}

function What({ task }: { task: Task }) {
  const { place_name, place_id } = task.extra_data
  return (
    <>
      <div className={css.what} data-tooltip="cut">
        {SCHEDULE_LABELS[task.schedule_name]}
      </div>
      <div className={css.place} dir="auto" data-tooltip="cut">
        {place_name ?? place_id}
      </div>
    </>
  )
}

function LastRun({ task }: { task: Task }) {
  if (task.running_run_id !== null || (task.last_outcome === 'failed' && task.last_run === null))
    return <LastState task={task} />
  return (
    <div className={css.lastRun}>
      {task.last_run === null ? 'N/A' : <Day moment={task.last_run} />}
      {task.last_outcome === 'failed' && <LastState task={task} />}
    </div>
  )
}

function LastState({ task }: { task: Task }) {
  if (isRunning(task)) {
    return (
      <span className={css.running}>
        <Loader size={14} aria-hidden /> Running
      </span>
    )
  }
  return (
    <span data-tooltip={task.retry_at === null ? undefined : `Tries again ${relativeText(task.retry_at)}`}>
      <Badge {...OUTCOME_BADGES[isRetrying(task) ? 'retrying' : 'failed']} dot />
    </span>
  )
}

/** A paused task has no next run. */
function NextRun({ task }: { task: Task }) {
  if (!task.is_paused) return <Day moment={task.next_run} />
  return (
    <span data-tooltip={task.paused_reason ?? 'Paused by an admin'}>
      <Badge tone="warn" text="Paused" dot />
    </span>
  )
}
