import { Button } from '@mantine/core'
import type { Task } from '@switchboard/contract/tasks'
import { Link } from '@tanstack/react-router'
import { Card } from '#src/ui/page/card.tsx'
import { Fact, Facts } from '#src/ui/page/facts.tsx'
import { SkeletonItems } from '#src/ui/table/skeleton.tsx'
import { fullText, momentText, relativeText } from '#src/lib/format/moment.ts'
import css from './task-facts.module.css'
import { StateBadge } from './state-badge.tsx'
import { FREQUENCY_LABELS, hasNextRun, monthlyCallsText } from './task-labels.ts'

type Props = { task: Task; onLookUp: () => void; onIntent: () => void }

/** The place and the schedule of a task. */
export function TaskFacts({ task, onLookUp, onIntent }: Props) {
  const { place_id, place_name, place_address, query } = task.extra_data
  return (
    <div className={css.cards}>
      <Card
        title="Place"
        action={
          <Button variant="default" size="compact-md" onPointerEnter={onIntent} onClick={onLookUp}>
            Generate Place ID
          </Button>
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
            {FREQUENCY_LABELS[task.frequency]}. {monthlyCallsText(task.frequency)}
          </Fact>
          <Fact term="Next run">{hasNextRun(task) ? <When moment={task.next_run} /> : 'N/A'}</Fact>
          <Fact term="Last successful run">{task.last_run === null ? 'N/A' : <When moment={task.last_run} />}</Fact>
          <Fact term="Created">
            <When moment={task.created_at} />
          </Fact>
        </Facts>
      </Card>
    </div>
  )
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
      {momentText(moment)} <span className={css.relative}>{relativeText(moment)}</span>
    </time>
  )
}
