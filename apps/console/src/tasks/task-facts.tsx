import { Button } from '@mantine/core'
import type { Task } from '@switchboard/contract/tasks'
import { Link } from '@tanstack/react-router'
import { useCan } from '#src/lib/can.ts'
import { fullText, momentText } from '#src/lib/format/moment.ts'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { Section } from '#src/ui/card/section.tsx'
import { hasNextRun, monthlyCallsText, rhythmText } from './task-labels.ts'

type Props = {
  task: Task
  /** Absent while the banner has this button. */
  onLookUp?: () => void
  onIntent: () => void
}

/** The schedule and the place of a task. */
export function TaskFacts({ task, onLookUp, onIntent }: Props) {
  const canEdit = useCan('edit')
  const { place_id, place_name, place_address, query } = task.extra_data
  return (
    <>
      <Section title="Schedule">
        <Facts>
          <Fact term="Tenant">
            <Link
              to="/tenants/$tenantId"
              params={{ tenantId: task.tenant_id }}
              className="text-link target accent"
              dir="auto"
            >
              {task.tenant_name}
            </Link>
          </Fact>
          <Fact term="Frequency">
            {rhythmText(task)}. <span className="ink-3">{monthlyCallsText(task.frequency)}</span>
          </Fact>
          {hasNextRun(task) && (
            <Fact term="Next run">
              <When moment={task.next_run} />
            </Fact>
          )}
          {task.last_run !== null && (
            <Fact term="Last success">
              <When moment={task.last_run} />
            </Fact>
          )}
          <Fact term="Created">
            <When moment={task.created_at} />
          </Fact>
        </Facts>
      </Section>
      <Section
        title="Place"
        action={
          canEdit &&
          onLookUp && (
            <Button variant="transparent" size="compact-sm" px={0} onPointerEnter={onIntent} onClick={onLookUp}>
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
      </Section>
    </>
  )
}

function When({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} data-tooltip={fullText(moment)}>
      {momentText(moment)}
    </time>
  )
}
