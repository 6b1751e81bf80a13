import type { TaskRun } from '@switchboard/contract/runs'
import type { Task } from '@switchboard/contract/tasks'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/data-table.tsx'
import { EmptyState } from '#src/ui/page/empty-state.tsx'
import { ListContent } from '#src/ui/list/list-content.tsx'
import { Pager } from '#src/ui/list/pager.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { FilterChip } from '#src/ui/filters/filter-chip.tsx'
import { listText } from '#src/lib/format/count.ts'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import { useChangeList } from '#src/lists/list-params.ts'
import css from './task-runs.module.css'
import { durationText, OUTCOME_BADGES } from '#src/tasks/task-labels.ts'
import { Result, Started } from './run-cells.tsx'
import { triggerText } from './run-labels.ts'
import { type RunList, taskRunsQuery } from './runs.api.ts'

const columns: Column<TaskRun>[] = [
  { head: 'Started', cell: (run) => <Started run={run} />, skeleton: '140px' },
  { head: 'Trigger', cell: triggerText, width: '22%', visibleFrom: 'medium', skeleton: '60%' },
  { head: 'Outcome', cell: (run) => <Badge {...OUTCOME_BADGES[run.outcome]} dot />, skeleton: '80px' },
  { head: 'Result', cell: (run) => <Result run={run} />, isMain: true, skeleton: '70%' },
  {
    head: 'Duration',
    cell: (run) => durationText(run.duration_ms),
    align: 'end',
    visibleFrom: 'wide',
    skeleton: '40px',
  },
]

/** Every run of a task, newest first, or one run. */
export function TaskRuns({ task, list }: { task: Task; list: RunList }) {
  const runs = useQuery(taskRunsQuery(task, list))
  const change = useChangeList<{ run: string }>()
  const isOne = list.id !== undefined
  return (
    <section ref={isOne ? scrollIntoView : null} aria-labelledby="runs">
      <div className={css.head}>
        <h2 id="runs" className="heading">
          Runs
        </h2>
        {isOne && <FilterChip value="One run" onClear={() => change({ run: undefined })} />}
      </div>
      <ListContent
        query={runs}
        noun="runs"
        total={runs.data && listText(runs.data.total, 'run', false)}
        empty={isOne ? <EmptyState title="Run not found" help="It may have been deleted." /> : <NoRuns />}
      >
        <DataTable
          label="Runs"
          columns={columns}
          rows={runs.data?.rows}
          rowId={(run) => run.id}
          busy={runs.isPlaceholderData}
          skeletonRows={2}
          renderPhoneRow={(run) => (
            <>
              <PhoneRow
                name={<Started run={run} />}
                badge={<Badge {...OUTCOME_BADGES[run.outcome]} dot />}
                facts={[triggerText(run), durationText(run.duration_ms)].filter((fact) => fact !== '')}
              />
              <Result run={run} />
            </>
          )}
          footer={<Pager page={runs.data} limit={list.limit} noun="run" />}
        />
      </ListContent>
    </section>
  )
}

function NoRuns() {
  return <EmptyState title="No runs yet" help="The first run happens on schedule, or when you run it now." />
}
