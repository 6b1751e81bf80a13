import type { SystemReport, SystemWorker } from '@switchboard/contract/system'
import { countText } from '#src/lib/format/count.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { databaseState, bytesText, schemaText, secondsText, waitingText, workerState } from './system-labels.ts'

/** Undefined while the report loads. */
type Props = { report: SystemReport | undefined }

/** The release of the server that answered. */
export function ReleaseCard({ report }: Props) {
  return (
    <Card title="Release">
      <Facts>
        <Fact term="Switchboard">{report?.process.version}</Fact>
        <Fact term="Node">{report?.process.node}</Fact>
        <Fact term="PostgreSQL">{report?.database.version}</Fact>
        <Fact term="Schema">{report && schemaText(report.database)}</Fact>
        <Fact term="Started">{report && <RelativeTime moment={report.process.started_at} />}</Fact>
      </Facts>
    </Card>
  )
}

export function DatabaseCard({ report }: Props) {
  const database = report?.database
  return (
    <Card title="Database">
      <Facts>
        <Fact term="State">{database && <Badge {...databaseState(database)} dot />}</Fact>
        <Fact term="Latency">{database && `${database.latency_ms.toFixed(1)} ms`}</Fact>
        <Fact term="Connections">
          {database && `${countText(database.connections_used)} of ${countText(database.connections_max)}`}
        </Fact>
        <Fact term="Size">{database && bytesText(database.bytes)}</Fact>
      </Facts>
    </Card>
  )
}

export function WorkersCard({ report }: Props) {
  const waiting = report?.waiting
  return (
    <Card title="Workers">
      <Facts>
        <Fact term="State">{report && <Badge {...workerState(report)} dot />}</Fact>
        <Fact term="Seen">{report && <Seen workers={report.workers} />}</Fact>
        <Fact term="Waiting runs">{waiting && waitingText(waiting.runs, waiting.oldest_run_seconds)}</Fact>
        <Fact term="Waiting mails">{waiting && waitingText(waiting.mails, waiting.oldest_mail_seconds)}</Fact>
        <Fact term="Due tasks">{waiting && dueText(waiting)}</Fact>
      </Facts>
    </Card>
  )
}

function Seen({ workers }: { workers: readonly SystemWorker[] }) {
  if (workers.length === 0) return 'No worker yet: start one'
  return (
    <ul>
      {workers.map(({ host, pid, seen_at, last_job_at }) => (
        <li key={`${host} ${pid}`}>
          <RelativeTime moment={seen_at} />
          <div className="ink-3">
            {host}, process {pid}
            {' · '}
            {last_job_at === null ? (
              'no job yet'
            ) : (
              <>
                last job <RelativeTime moment={last_job_at} />
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function dueText({ oldest_due_task_seconds: seconds }: SystemReport['waiting']): string {
  return seconds === 0 ? 'None' : `The oldest for ${secondsText(seconds)}`
}
