import type { ListedRun } from '@switchboard/contract/runs/run-list'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { Link } from '@tanstack/react-router'
import { momentText } from '#src/lib/format/moment.ts'
import { durationText, OUTCOME_BADGES, placeText } from '#src/tasks/task-labels.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { Result, Started } from './run-cells.tsx'
import { resultText, startOf } from './run-labels.ts'
import css from './runs-table.module.css'

export const RUN_COLUMNS: Column<ListedRun>[] = [
  {
    head: 'Started',
    cell: (run) => <Started run={run} />,
    sort: { by: 'created_at', first: 'descending' },
    skeleton: '88px',
  },
  {
    head: 'Tenant',
    isOfTenant: true,
    cell: (run) => <TenantLink run={run} />,
    width: '16%',
    visibleFrom: 'laptop',
    skeleton: '65%',
  },
  { head: 'Task', cell: (run) => <RunLink run={run} />, isMain: true, skeleton: '70%' },
  { head: 'Status', cell: (run) => <Badge {...OUTCOME_BADGES[run.outcome]} dot />, skeleton: '80px' },
  { head: 'Result', cell: (run) => <ShortResult run={run} />, width: '25%', skeleton: '70%' },
  {
    head: 'Duration',
    cell: (run) => durationText(run.duration_ms),
    sort: { by: 'duration', first: 'descending' },
    align: 'end',
    visibleFrom: 'laptop',
    skeleton: '40px',
  },
]

/** Two lines of the result, with the whole in the tooltip. */
function ShortResult({ run }: { run: ListedRun }) {
  return (
    <div className="two-lines" data-tooltip="cut">
      {resultText(run)}
    </div>
  )
}

/** A run on a phone. */
export function RunPhoneRow({ run }: { run: ListedRun }) {
  return (
    <>
      <PhoneRow
        name={<RunLink run={run} />}
        badge={<Badge {...OUTCOME_BADGES[run.outcome]} dot />}
        facts={[<TenantLink key="tenant" run={run} isOnPhone />, <Started key="started" run={run} />]}
        truncatedFact={0}
      />
      <Result run={run} />
    </>
  )
}

/** The place of the task, a link to the run on the page of the task. */
function RunLink({ run }: { run: ListedRun }) {
  return (
    <Link
      to="/tasks/$taskId"
      params={{ taskId: run.task_id }}
      search={{ run: run.id }}
      dir="auto"
      className={css.name}
      aria-label={`${placeLabel(run.extra_data)}, run of ${momentText(startOf(run))}`}
      data-tooltip="cut"
    >
      {placeText(run)}
    </Link>
  )
}

function TenantLink({ run: { tenant_id, tenant_name }, isOnPhone = false }: { run: ListedRun; isOnPhone?: boolean }) {
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
