import type { ListedRun } from '@switchboard/contract/runs/run-list'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { Link } from '@tanstack/react-router'
import { momentText } from '#src/lib/format/moment.ts'
import { durationText, OUTCOME_BADGES } from '#src/tasks/task-labels.ts'
import { Badge } from '#src/ui/page/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { Result, Started } from './run-cells.tsx'
import { startOf, triggerText } from './run-labels.ts'
import css from './runs-table.module.css'

export const RUN_COLUMNS: Column<ListedRun>[] = [
  {
    head: 'Started',
    cell: (run) => <Started run={run} isShort />,
    sort: { by: 'created_at', first: 'descending' },
    width: '128px',
    skeleton: '88px',
  },
  {
    head: 'Tenant',
    cell: (run) => <TenantLink run={run} />,
    width: '13%',
    visibleFrom: 'medium',
    skeleton: '65%',
  },
  { head: 'Task', cell: (run) => <RunLink run={run} />, isMain: true, width: '20%', skeleton: '70%' },
  { head: 'Status', cell: (run) => <Badge {...OUTCOME_BADGES[run.outcome]} dot />, width: '116px', skeleton: '80px' },
  { head: 'Result', cell: (run) => <Result run={run} />, visibleFrom: 'laptop', skeleton: '70%' },
  {
    head: 'New',
    cell: (run) => run.reviews_new,
    width: '56px',
    align: 'end',
    visibleFrom: 'widest',
    skeleton: '16px',
  },
  {
    head: 'Duration',
    cell: (run) => durationText(run.duration_ms),
    sort: { by: 'duration', first: 'descending' },
    width: '96px',
    align: 'end',
    visibleFrom: 'wide',
    skeleton: '40px',
  },
]

/** A run on a phone. */
export function RunPhoneRow({ run }: { run: ListedRun }) {
  return (
    <>
      <PhoneRow
        name={<RunLink run={run} />}
        badge={<Badge {...OUTCOME_BADGES[run.outcome]} dot />}
        facts={[
          <bdi key="tenant">{run.tenant_name}</bdi>,
          <Started key="started" run={run} isShort />,
          triggerText(run),
          durationText(run.duration_ms),
        ].filter((fact) => fact !== '')}
        truncatedFact={0}
      />
      <Result run={run} />
    </>
  )
}

/** The place of the task, a link to the run on the page of the task. */
function RunLink({ run }: { run: ListedRun }) {
  const name = placeLabel(run.extra_data)
  return (
    <Link
      to="/tasks/$taskId"
      params={{ taskId: run.task_id }}
      search={{ run: run.id }}
      dir="auto"
      className={css.name}
      aria-label={`${name}, run of ${momentText(startOf(run))}`}
      data-tooltip="cut"
    >
      {name}
    </Link>
  )
}

function TenantLink({ run: { tenant_id, tenant_name } }: { run: ListedRun }) {
  return (
    <Link
      to="/tenants/$tenantId/tasks"
      params={{ tenantId: tenant_id }}
      dir="auto"
      className={css.tenant}
      data-tooltip="cut"
    >
      {tenant_name}
    </Link>
  )
}
