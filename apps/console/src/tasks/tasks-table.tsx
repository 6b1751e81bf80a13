import type { Task } from '@switchboard/contract/tasks'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { Link } from '@tanstack/react-router'
import { columnsOfDeleted, keptUntilText } from '#src/ui/list/deleted-records.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { Day } from '#src/ui/time/day.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { StateBadge } from './state-badge.tsx'
import { FREQUENCY_LABELS, hasNextRun, placeBesideTenant, placeText, stateReason } from './task-labels.ts'

export const TASK_COLUMNS: Column<Task>[] = [
  {
    head: 'Tenant',
    isOfTenant: true,
    cell: (task) => <TenantLink task={task} />,
    sort: { by: 'tenant_name', first: 'ascending' },
    width: '18%',
    visibleFrom: 'medium',
    skeleton: '65%',
  },
  { head: 'Task', cell: (task) => <Name task={task} />, isMain: true, skeleton: '70%' },
  { head: 'Status', cell: (task) => <StateBadge task={task} />, skeleton: '80px' },
  {
    head: 'Frequency',
    cell: (task) => FREQUENCY_LABELS[task.frequency],
    visibleFrom: 'laptop',
    skeleton: '56px',
  },
  {
    head: 'Last Run',
    cell: (task) => <LastRun task={task} />,
    visibleFrom: 'laptop',
    skeleton: '72px',
  },
  {
    head: 'Next Run',
    cell: (task) => <NextRun task={task} />,
    sort: { by: 'next_run', first: 'ascending' },
    skeleton: '64px',
  },
  {
    head: 'Created At',
    cell: (task) => <Day moment={task.created_at} />,
    sort: { by: 'created_at', first: 'descending' },
    visibleFrom: 'laptop',
    skeleton: '80px',
  },
]

/** The columns of deleted tasks: until when they can be restored. */
export const DELETED_TASK_COLUMNS = columnsOfDeleted(TASK_COLUMNS, 'Next Run')

/** A task on a phone; below its tenant with the frequency. */
export function TaskPhoneRow({ task, isOfTenant }: { task: Task; isOfTenant: boolean }) {
  return (
    <PhoneRow
      name={<TaskLink task={task}>{isOfTenant ? placeLabel(task.extra_data) : placeText(task)}</TaskLink>}
      badge={<StateBadge task={task} />}
      facts={[
        isOfTenant ? FREQUENCY_LABELS[task.frequency] : <TenantLink key="tenant" task={task} isOnPhone />,
        ...(task.deleted_at === null ? [] : [keptUntilText(task.deleted_at)]),
        ...(hasNextRun(task)
          ? [
              <span key="next">
                Next <RelativeTime moment={task.next_run} />
              </span>,
            ]
          : []),
      ]}
      truncatedFact={0}
    />
  )
}

function TenantLink({ task: { tenant_id, tenant_name }, isOnPhone = false }: { task: Task; isOnPhone?: boolean }) {
  return (
    <Link
      to="/tenants/$tenantId/tasks"
      params={{ tenantId: tenant_id }}
      dir="auto"
      className={isOnPhone ? undefined : 'text-link two-lines ink-2'}
      data-tooltip="cut"
    >
      {tenant_name}
    </Link>
  )
}

/** The name of the place, a link to the page of the task, and its street on the same line. */
function Name({ task }: { task: Task }) {
  const { name, street } = placeBesideTenant(task)
  return (
    <div className="cut" data-tooltip="cut" dir="auto">
      <TaskLink task={task}>{name}</TaskLink>
      {street !== '' && <span className="ink-3"> {street}</span>}
    </div>
  )
}

/** A deleted task has no page. */
function TaskLink({ task, children }: { task: Task; children: string }) {
  if (task.deleted_at !== null) return <span className="text-link record-name">{children}</span>
  return (
    <Link
      to="/tasks/$taskId"
      params={{ taskId: task.id }}
      dir="auto"
      className="text-link record-name"
      aria-label={placeLabel(task.extra_data)}
    >
      {children}
    </Link>
  )
}

function LastRun({ task: { last_run } }: { task: Task }) {
  return last_run === null ? 'N/A' : <RelativeTime moment={last_run} />
}

/** A paused task and a task of an inactive tenant have no next run. */
function NextRun({ task }: { task: Task }) {
  if (hasNextRun(task)) return <RelativeTime moment={task.next_run} />
  return <span data-tooltip={stateReason(task) ?? ''}>N/A</span>
}
