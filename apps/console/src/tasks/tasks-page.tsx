import { taskName } from '@switchboard/contract/tasks/task-name'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { LIST_PAGE } from '#src/lists/list-page.ts'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import { columnsOfTenant } from '#src/ui/table/column.ts'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { SampleMapsNotice } from '#src/ui/notice/sample-maps-notice.tsx'
import { lazyPart } from '#src/lib/lazy.tsx'
import { bulkOf } from '#src/lists/list-api.ts'
import type { Filter } from '#src/lists/filters.ts'
import { withoutPage } from '#src/lists/list-params.ts'
import { useRestoreAction } from '#src/ui/list/deleted-records.tsx'
import { useTenantFilter } from '#src/tenants/tenant-select.tsx'
import { TenantInactiveChip } from '#src/tenants/status/tenant-inactive-chip.tsx'
import { taskBulk } from './bulk-tasks.api.ts'
import { restoreDeletedTask, type TaskList, taskPages, tasksQuery } from './tasks.api.ts'
import css from './tasks-page.module.css'
import { FREQUENCY_OPTIONS, STATE_OPTIONS, stateOf, stateReason } from './task-labels.ts'
import { DELETED_TASK_COLUMNS, TASK_COLUMNS, TaskPhoneRow } from './tasks-table.tsx'
import { useRunTaskNow } from '#src/tasks/runs/run-now.api.ts'

const SORTS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: 'next_run', label: 'Next run' },
  { value: '-next_run', label: 'Last to run' },
  { value: 'tenant_name', label: 'Tenant A–Z' },
  { value: '-tenant_name', label: 'Tenant Z–A' },
] satisfies { value: TaskList['sort']; label: string }[]

const SORTS_OF_TENANT = SORTS.filter(({ value }) => !value.includes('tenant'))
const DeleteTaskDialog = lazyPart(() => import('./delete-task-dialog.tsx').then((code) => code.DeleteTaskDialog))

/** The tasks of every tenant, or of one, with their next times. The URL holds the state of the page. */
export function TasksPage() {
  const { tenantId } = useParams({ strict: false })
  const list = taskPages.listOf(useSearch({ strict: false }))
  const listed = { ...list, tenant_id: tenantId ?? list.tenant_id }
  const tasks = useQuery({ ...tasksQuery(listed), ...LIST_PAGE })
  const navigate = useNavigate()
  const runNow = useRunTaskNow()
  const historyOf = useHistoryAction('task')
  const restoreOf = useRestoreAction(restoreDeletedTask, taskName)
  const isDeleted = list.deleted !== undefined
  const columns = isDeleted ? DELETED_TASK_COLUMNS : TASK_COLUMNS
  const ofInactive = tasks.data?.rows.find(({ tenant_status }) => tenant_status !== 'active')
  const ofTenant = useTenantFilter(list.tenant_id, tasks.data?.rows)
  const filters: Filter<keyof TaskList>[] = [
    ...(tenantId === undefined ? [ofTenant] : []),
    { kind: 'options', name: 'state', label: 'Status', options: STATE_OPTIONS, hasDeleted: true },
    { kind: 'options', name: 'frequency', label: 'Frequency', options: FREQUENCY_OPTIONS },
  ]

  return (
    <ListScreen
      title="Tasks"
      subtitle={
        <>
          Scheduled jobs and when they next run.{' '}
          <Link to="/tasks/runs" className={css.link}>
            All runs
          </Link>
        </>
      }
      phoneActions={[
        {
          label: 'All Runs',
          Icon: IconPlayerPlay,
          capability: 'view',
          onSelect: () => void navigate({ to: '/tasks/runs' }),
        },
      ]}
      noun="task"
      list={list}
      query={tasks}
      saved={{ list: 'tasks', Total: taskPages.Total }}
      all={taskPages.useTotal(taskPages.listOf({ tenant_id: tenantId }), list)}
      create={{ to: '/tasks/create', search: { tenant_id: tenantId }, label: 'New Task' }}
      notice={
        <div className={css.notices}>
          <SampleMapsNotice />
          {list.tenant_id !== undefined && (
            <div className={css.ofTenant}>
              {ofInactive && (
                <TenantInactiveChip
                  tenant={{ id: ofInactive.tenant_id, name: ofInactive.tenant_name }}
                  effect="all tasks skipped"
                />
              )}
            </div>
          )}
        </div>
      }
      searchLabel={tenantId === undefined ? 'Search tenant or place' : 'Search place'}
      sorts={tenantId === undefined ? SORTS : SORTS_OF_TENANT}
      filters={filters}
      empty={{
        searchHelp: 'Search looks at tenants, places and their IDs.',
        title: 'No task found',
        help: "Tasks run on a schedule, for example pulling a tenant's Google reviews.",
      }}
      columns={tenantId === undefined ? columns : columnsOfTenant(columns)}
      nameOf={taskName}
      actionsOf={(task, remove) =>
        task.deleted_at !== null
          ? [restoreOf(task), historyOf(task)]
          : [
              // Only before the first success; later the page of the task has "Run again".
              ...(task.last_run === null && task.running_run_id === null
                ? [
                    {
                      label: 'Run task now',
                      Icon: IconPlayerPlay,
                      capability: 'edit' as const,
                      refusal: stateOf(task) === 'tenant_inactive' ? stateReason(task) : null,
                      onSelect: () => runNow(task),
                    },
                  ]
                : []),
              historyOf(task),
              remove,
            ]
      }
      renderDeletion={(task, on) => <DeleteTaskDialog task={task} {...on} />}
      renderPhoneRow={(task) => <TaskPhoneRow task={task} isOfTenant={tenantId !== undefined} />}
      bulk={bulkOf(taskBulk(withoutPage(listed)), isDeleted)}
      file={(signal) => taskPages.file(listed, signal)}
      onIntent={() => void DeleteTaskDialog.preload?.()}
    />
  )
}
