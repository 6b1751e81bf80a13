import { Button } from '@mantine/core'
import type { Task } from '@switchboard/contract/tasks'
import { nextRuns } from '@switchboard/contract/tasks/schedule'
import { Link } from '@tanstack/react-router'
import { useCan } from '#src/lib/can.ts'
import { Card } from '#src/ui/card/card.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { fullText, momentText } from '#src/lib/format/moment.ts'
import css from './task-facts.module.css'
import { StateBadge } from './state-badge.tsx'
import { NextTimes } from '#src/tasks/schedule/next-times.tsx'
import { hasNextRun, monthlyCallsText, rhythmText } from './task-labels.ts'

/** Future runs shown. */
const NEXT_SHOWN = 5

type Props = { task: Task; onLookUp: () => void; onIntent: () => void }

/** The place and the schedule of a task. */
export function TaskFacts({ task, onLookUp, onIntent }: Props) {
  const canEdit = useCan('edit')
  const { place_id, place_name, place_address, query } = task.extra_data
  return (
    <div className={css.cards}>
      <Card
        title="Place"
        action={
          canEdit && (
            <Button variant="default" size="compact-md" onPointerEnter={onIntent} onClick={onLookUp}>
              Generate Place ID
            </Button>
          )
        }
      >
        <Facts>
          {place_name !== undefined && (
            <Fact term="Name">
              <span dir="auto">{place_name}</span>
            </Fact>
          )}
          {place_address !== undefined && (
            <Fact term="Address">
              <span dir="auto">{place_address}</span>
            </Fact>
          )}
          <Fact term="Google Place ID">
            <code>{place_id}</code>
          </Fact>
          {query !== undefined && <Fact term="Looked up by">{query}</Fact>}
        </Facts>
      </Card>
      <Card title="Schedule">
        <Facts>
          <Fact term="Status">
            <StateBadge task={task} />
          </Fact>
          <Fact term="Tenant">
            <Link to="/tenants/$tenantId" params={{ tenantId: task.tenant_id }} className={css.link} dir="auto">
              {task.tenant_name}
            </Link>
          </Fact>
          <Fact term="Frequency">
            {rhythmText(task)}. {monthlyCallsText(task.frequency)}
          </Fact>
          <Fact term="Next run">{hasNextRun(task) ? <When moment={task.next_run} /> : 'N/A'}</Fact>
          {hasNextRun(task) && (
            <Fact term={task.time_zone === null ? 'Next runs' : `Next runs (${task.time_zone})`}>
              <NextTimes times={nextTimes(task)} timeZone={task.time_zone} />
            </Fact>
          )}
          <Fact term="Last successful run">{task.last_run === null ? 'N/A' : <When moment={task.last_run} />}</Fact>
          <Fact term="Created">
            <When moment={task.created_at} />
          </Fact>
        </Facts>
      </Card>
    </div>
  )
}

/** The next run, which may be a repetition before its time, and the runs of the schedule after it. */
function nextTimes(task: Task): string[] {
  return [task.next_run, ...nextRuns(task, task.next_run, NEXT_SHOWN - 1)]
}

/** Placeholders in the shape of both cards. */
export function TaskFactsSkeleton() {
  return (
    <div className={css.cards}>
      {['Place', 'Schedule'].map((title) => (
        <Card key={title} title={title}>
          <SkeletonItems count={3} />
        </Card>
      ))}
    </div>
  )
}

function When({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} data-tooltip={fullText(moment)}>
      {momentText(moment)}
    </time>
  )
}
