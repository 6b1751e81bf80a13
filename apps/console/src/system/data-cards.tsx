import { Button } from '@mantine/core'
import type { CountersCheck, SystemBackups, SystemReport } from '@switchboard/contract/system'
import { Suspense, useState } from 'react'
import { commandHere } from '#src/lib/console-settings.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { counted, countText } from '#src/lib/format/count.ts'
import { monthText, timeText } from '#src/lib/format/moment.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { Badge } from '#src/ui/badge/badge.tsx'
import { CopyButton } from '#src/ui/button/copy-button.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { backupState, bytesText, MADE_BY } from './system-labels.ts'
import { isBackingUp, useBackUp, useCheckCounters } from './system.api.ts'
import css from './system-page.module.css'

const ChainDialog = lazyPart(() => import('#src/activity/chain-dialog.tsx').then((code) => code.ChainDialog))

type Props = { report: SystemReport | undefined }

export function AuditLogCard({ report }: Props) {
  const [isChecking, setIsChecking] = useState(false)
  const audit = report?.audit
  return (
    <Card
      title="Audit log"
      help="A worker checks the chain once a day and reports the result in its log and metrics."
      action={
        <Button variant="default" onPointerEnter={() => void ChainDialog.preload()} onClick={() => setIsChecking(true)}>
          Verify Chain
        </Button>
      }
    >
      <Facts>
        <Fact term="Rows">{audit && countText(audit.rows)}</Fact>
        <Fact term="End">
          {audit && (
            <div className={css.end}>
              <code>{audit.end}</code>
              <CopyButton text={audit.end} noun="end of the audit log" />
            </div>
          )}
        </Fact>
      </Facts>
      {audit && audit.held_month !== null && (
        <div className={css.result}>
          <Notice tone="warn">
            AUDIT_RETENTION cannot delete {monthText(audit.held_month.month)}. {audit.held_month.problem}
          </Notice>
        </div>
      )}
      <Suspense>{isChecking && <ChainDialog onClose={() => setIsChecking(false)} />}</Suspense>
    </Card>
  )
}

export function CountersCard() {
  const check = useCheckCounters()
  return (
    <Card
      title="Counters"
      help="Triggers keep the counts of lists and the dashboard. The comparison counts all rows and changes nothing."
      action={
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          Compare with Rows
        </Button>
      }
    >
      {check.isPending && <Notice tone="info">Counting all rows...</Notice>}
      {check.isSuccess && <CountersResult check={check.data} />}
      {check.isError && <Notice tone="bad">{messageOf(check.error, 'The counters could not be compared.')}</Notice>}
      {check.isIdle && <p className="ink-3">Not compared since this page was opened.</p>}
    </Card>
  )
}

function CountersResult({ check: { checked_at, wrong, examples } }: { check: CountersCheck }) {
  if (wrong === 0) return <Notice tone="ok">All counters agree with the rows, as of {timeText(checked_at)}.</Notice>
  return (
    <Notice tone="bad">
      {counted(wrong, 'counter')} {wrong === 1 ? 'differs' : 'differ'} from the rows, as of {timeText(checked_at)}. Run
      <code>{commandHere('db:recount')}</code> on the server to correct {wrong === 1 ? 'it' : 'them'}.
      <ul>
        {examples.map(({ where, kept, counted: rows }) => (
          <li key={where}>
            {where}: {countText(kept)} instead of {countText(rows)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

export function BackupsCard({ report }: Props) {
  const backUp = useBackUp()
  // End of the newest backup before the one of this page began.
  const [before, setBefore] = useState<string | null>()
  const backups = report?.backups
  const isRunning = isBackingUp(backups)
  function start() {
    setBefore(backups?.newest?.at ?? null)
    backUp.mutate()
  }
  return (
    <Card
      title="Backups"
      help={
        backups?.is_made_by_server === false
          ? `"${commandHere('backup')}" on a server writes a backup. Run it each night from a timer.`
          : 'Made each night by this server and kept for seven nights, on its own disk: copy them elsewhere.'
      }
      action={
        backups?.is_made_by_server !== false && (
          <Button variant="default" loading={backUp.isPending || isRunning} disabled={!backups} onClick={start}>
            Back Up Now
          </Button>
        )
      }
    >
      <Facts>
        <Fact term="State">{report && <Badge {...backupState(report)} dot />}</Fact>
        <Fact term="Newest">{backups && <NewestBackup newest={backups.newest} />}</Fact>
        <Fact term="Verified">
          {backups && (backups.verified_at ? <RelativeTime moment={backups.verified_at} /> : 'Never')}
        </Fact>
        <Fact term="Signed">{backups && signatureText(backups)}</Fact>
      </Facts>
      {backups && (
        <div className={css.result}>
          {isRunning && (
            <Notice tone="info">A backup is being made since {timeText(backups.running_since ?? '')}.</Notice>
          )}
          {!isRunning && backups.failure !== null && (
            <Notice tone="bad">
              The last {backups.failure.kind} failed <RelativeTime moment={backups.failure.at} />:{' '}
              {backups.failure.problem}
            </Notice>
          )}
          {isDone(backups, before) && <Notice tone="ok">The backup is complete.</Notice>}
        </div>
      )}
    </Card>
  )
}

function signatureText({ is_signed }: SystemBackups): string {
  return is_signed
    ? 'Yes, with SECRETS_KEY'
    : 'No: without SECRETS_KEY a restore cannot tell whether someone has changed a backup'
}

/** Whether the backup of this page has ended with a new file. */
function isDone(backups: SystemBackups, before: string | null | undefined): boolean {
  const { newest } = backups
  return before !== undefined && !isBackingUp(backups) && newest !== null && newest.at !== before
}

function NewestBackup({ newest }: { newest: SystemBackups['newest'] }) {
  if (newest === null) return 'None'
  const { at, made_by, file, bytes, audit_seq } = newest
  return (
    <>
      <RelativeTime moment={at} />, {MADE_BY[made_by]}
      <div className="ink-3">
        {file === null ? 'To standard output' : <code>{file}</code>}, {bytesText(bytes)}, up to row{' '}
        {countText(audit_seq)} of the audit log
      </div>
    </>
  )
}
