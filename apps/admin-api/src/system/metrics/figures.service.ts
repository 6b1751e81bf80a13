import type { LogSink } from '@switchboard/contract/signals/log-sinks'
import { type AlertFigures, alertFigures, RESOLVED_KINDS } from '@switchboard/database/alerts/alert-figures.queries'
import { logSinks } from '@switchboard/database/audit/log-sinks.queries'
import { type WebhookState, webhookStates } from '@switchboard/database/webhook-states.queries'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { measureInMetrics, measureOne } from '@switchboard/server/process/metrics'
import { repeatedFailures } from '@switchboard/server/process/repeated-failures'
import type { Deps } from '#src/deps.ts'
import { databaseFigures, type Figures } from './figures.queries.ts'

/** The database is read at most once in this time, however often the metrics are scraped. */
const READ_EVERY_MS = 15_000

type Read = Figures & { sinks: LogSink[]; webhooks: WebhookState[]; alerts: Omit<AlertFigures, 'mail_problem'> }

const NONE: Read = {
  is_read_only: false,
  oldest_due_task_seconds: 0,
  runs_waiting: 0,
  oldest_run_seconds: 0,
  mails_waiting: 0,
  oldest_mail_seconds: 0,
  audit_rows: 0,
  oldest_unsealed_seconds: 0,
  database_bytes: 0,
  last_backup_at: 0,
  has_backup_failed: false,
  has_verification_failed: false,
  sinks: [],
  alerts: { open: {}, evaluated_at: 0, evaluated_seconds: 0, mails_failed: 0 },
  webhooks: [],
}

/**
 * Adds the figures that need the database to the metrics: waiting work, the audit log, webhooks, alerts, backups and the size.
 * admin-api has them because they matter most while no worker runs. While the database does not answer, the last figures stay.
 */
export function addFigures(metrics: ZodApp['metrics'], deps: Pick<Deps, 'db' | 'log'>, everyMs = READ_EVERY_MS): void {
  const read = createReader(deps, everyMs)
  const one = (name: string, help: string, valueOf: (figures: Read, isWritable: boolean) => number) =>
    measureOne(metrics, { name, help }, async () => {
      const { figures, isWritable } = await read()
      return valueOf(figures, isWritable)
    })
  const by = (
    label: string,
    name: string,
    help: string,
    valuesOf: (figures: Read) => Record<string, number | boolean>,
  ) =>
    measureInMetrics(metrics, { name, help, labelNames: [label] }, async () => {
      const values = Object.entries(valuesOf((await read()).figures))
      return values.map(([value, figure]) => ({ labels: { [label]: value }, value: Number(figure) }))
    })
  one(
    'database_writable',
    'Whether the database answers and accepts changes; a standby is read-only',
    (_, isWritable) => Number(isWritable),
  )
  one('database_size_bytes', 'Size of the database', (figures) => figures.database_bytes)
  one(
    'tasks_oldest_due_seconds',
    'Lateness of the longest overdue task; workers look once a minute',
    (figures) => figures.oldest_due_task_seconds,
  )
  by(
    'queue',
    'queue_jobs',
    'Runs and mails that wait for a worker; a retried run waits from the time of its retry',
    ({ runs_waiting: runs, mails_waiting: mails }) => ({ runs, mails }),
  )
  by(
    'queue',
    'queue_oldest_seconds',
    'Age of the oldest waiting job',
    ({ oldest_run_seconds: runs, oldest_mail_seconds: mails }) => ({ runs, mails }),
  )
  one('audit_log_rows', 'Rows of the audit log since its beginning', (figures) => figures.audit_rows)
  one('audit_unsealed_oldest_seconds', 'Age of the oldest unsealed entry', (figures) => figures.oldest_unsealed_seconds)
  const ofSinks = (valueOf: (sink: LogSink) => number | boolean) => (figures: Read) =>
    Object.fromEntries(figures.sinks.filter(({ is_on }) => is_on).map((sink) => [sink.name, valueOf(sink)]))
  by(
    'sink',
    'log_sink_lag_seconds',
    'How long the oldest entry that a log sink does not have has waited; for a file since the end of its day',
    ofSinks(({ seconds_behind }) => seconds_behind),
  )
  by(
    'sink',
    'log_sink_failing',
    'Whether the last attempt to send to a log sink failed',
    ofSinks(({ problem }) => problem !== null),
  )
  by('kind', 'alerts_open', 'Open alerts', ({ alerts: { open } }) =>
    Object.fromEntries(RESOLVED_KINDS.map((kind) => [kind, open[kind] ?? 0])),
  )
  one(
    'alerts_evaluated_timestamp_seconds',
    'When a worker last looked for causes of alerts; 0 before the first time',
    ({ alerts }) => alerts.evaluated_at,
  )
  one(
    'alert_mails_failed',
    'Mails about alerts of the last day that were given up',
    ({ alerts }) => alerts.mails_failed,
  )
  one(
    'webhook_oldest_delivery_seconds',
    'How long the oldest delivery to a webhook that is on has waited',
    ({ webhooks }) => Math.max(0, ...webhooks.map(({ oldest_seconds }) => oldest_seconds)),
  )
  one(
    'backup_last_success_timestamp_seconds',
    'End of the last complete backup; 0 before the first',
    (figures) => figures.last_backup_at,
  )
  by(
    'kind',
    'backup_last_failed',
    'Whether the last backup failed, and whether the last verification of one failed',
    ({ has_backup_failed: backup, has_verification_failed: verification }) => ({ backup, verification }),
  )
}

function createReader({ db, log }: Pick<Deps, 'db' | 'log'>, everyMs: number) {
  const reads = repeatedFailures(log, 'reading the figures of the database')
  let last = { figures: NONE, isWritable: false }
  let readAt = -Infinity
  let reading: Promise<void> = Promise.resolve()

  const read = async (): Promise<void> => {
    try {
      const figures = {
        ...(await databaseFigures(db)),
        sinks: await logSinks(db),
        webhooks: await webhookStates(db),
        alerts: await alertFigures(db),
      }
      last = { figures, isWritable: !figures.is_read_only }
      reads.worked()
    } catch (error) {
      reads.failed(error)
      last = { figures: last.figures, isWritable: false }
    }
  }

  return async () => {
    if (performance.now() - readAt >= everyMs) {
      readAt = performance.now()
      reading = read()
    }
    await reading
    return last
  }
}
