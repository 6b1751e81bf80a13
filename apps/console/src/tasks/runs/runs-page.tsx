import { placeLabel } from '@switchboard/contract/tasks/task-name'
import type { ListedRun } from '@switchboard/contract/runs/run-list'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { momentText } from '#src/lib/format/moment.ts'
import type { Filter } from '#src/lists/filters.ts'
import { withoutPage } from '#src/lists/list-params.ts'
import { useTenantFilter } from '#src/tenants/tenant-select.tsx'
import { SampleMapsNotice } from '#src/ui/notice/sample-maps-notice.tsx'
import { LIST_PAGE } from '#src/lists/list-page.ts'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import { Breadcrumb } from '#src/ui/page/breadcrumb.tsx'
import { OUTCOME_OPTIONS, REASON_OPTIONS, startOf } from './run-labels.ts'
import { type AllRuns, allRunsQuery, runBulk, runPages, useRetryRun } from './run-list.api.ts'
import css from './runs-page.module.css'
import { RUN_COLUMNS, RunPhoneRow } from './runs-table.tsx'

const SORTS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: '-duration', label: 'Longest' },
  { value: 'duration', label: 'Shortest' },
] satisfies { value: AllRuns['sort']; label: string }[]

const route = getRouteApi('/signed-in/tasks/runs')

/** The runs of all tasks. The URL holds the state of the page. */
export function RunsPage() {
  const list = runPages.listOf(route.useSearch())
  const runs = useQuery({ ...allRunsQuery(list), ...LIST_PAGE })
  const retry = useRetryRun()
  const historyOf = useHistoryAction('task')
  const filters: Filter<keyof AllRuns>[] = [
    useTenantFilter(list.tenant_id, runs.data?.rows),
    { kind: 'options', name: 'outcome', label: 'Status', options: OUTCOME_OPTIONS },
    { kind: 'options', name: 'reason', label: 'Reason', options: REASON_OPTIONS },
    { kind: 'days', label: 'Created', from: 'created_from', to: 'created_to' },
  ]

  return (
    <ListScreen
      title="Runs"
      subtitle="Every execution of a task, scheduled or started by an admin"
      breadcrumb={
        <Breadcrumb>
          <Link to="/tasks">Tasks</Link>
          <span aria-current="page">Runs</span>
        </Breadcrumb>
      }
      noun="run"
      list={list}
      query={runs}
      saved={{ list: 'runs', Total: runPages.Total }}
      all={runPages.useTotal(runPages.listOf({}), list)}
      notice={
        <div className={css.notice}>
          <SampleMapsNotice />
        </div>
      }
      searchLabel="Search tenant or place"
      sorts={SORTS}
      filters={filters}
      empty={{
        searchHelp: 'Search looks at tenants, places and their IDs. Days are those of UTC.',
        title: 'No runs yet',
        help: 'A task runs on its schedule, or when you run it now.',
      }}
      columns={RUN_COLUMNS}
      nameOf={runName}
      actionsOf={(run) => [
        ...(run.outcome === 'failed'
          ? [{ label: 'Retry', Icon: IconRefresh, capability: 'edit' as const, onSelect: () => retry(run) }]
          : []),
        historyOf({ id: run.task_id }),
      ]}
      renderPhoneRow={(run) => <RunPhoneRow run={run} />}
      bulk={runBulk(withoutPage(list))}
      file={(signal) => runPages.file(list, signal)}
    />
  )
}

/** "Corner Bakery, 12 High St, Nov 18, 2026, 09:30" */
function runName(run: ListedRun): string {
  return `${placeLabel(run.extra_data)}, ${momentText(startOf(run))}`
}
