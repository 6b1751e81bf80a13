import { countInMetrics, createMetrics, measureOne } from '@switchboard/server/process/metrics'
import type { Archiving } from './activity/archive-months.service.ts'
import type { ChainCheck } from './activity/chain-check.service.ts'
import type { Deps } from './deps.ts'

type Counted = Pick<Deps, 'db' | 'runCounts' | 'mailCounts' | 'webhookCounts'>

/** Creates the metrics of a worker: runs, mails and webhooks by outcome, the last check of the audit chain, and its archives. */
export function createWorkerMetrics(
  { db, runCounts, mailCounts, webhookCounts }: Counted,
  { last }: Pick<ChainCheck, 'last'>,
  { hasFailed }: Pick<Archiving, 'hasFailed'>,
) {
  const metrics = createMetrics({ main: db })
  const labelNames = ['outcome']
  countInMetrics(metrics, {
    name: 'task_runs_total',
    help: 'Attempts of runs by outcome: succeeded, failed, retrying, skipped',
    labelNames,
    totals: runCounts.totals,
  })
  countInMetrics(metrics, {
    name: 'mails_total',
    help: 'Attempts to send a mail by outcome: sent, retrying, failed',
    labelNames,
    totals: mailCounts.totals,
  })
  countInMetrics(metrics, {
    name: 'webhook_deliveries_total',
    help: 'Attempts to deliver an event to a webhook by outcome: delivered, retrying, failed',
    labelNames,
    totals: webhookCounts.totals,
  })
  measureOne(metrics, { name: 'audit_chain_broken', help: 'Whether the last check of the audit chain failed' }, () =>
    Number(last().isBroken),
  )
  measureOne(
    metrics,
    { name: 'audit_chain_checked_rows', help: 'Rows of the last check of the audit chain' },
    () => last().rows,
  )
  measureOne(
    metrics,
    {
      name: 'audit_chain_checked_timestamp_seconds',
      help: 'End of the last check of the audit chain; 0 before the first',
    },
    () => last().atMs / 1_000,
  )
  measureOne(
    metrics,
    { name: 'audit_archive_failed', help: 'Whether the last search for a month to archive failed' },
    () => Number(hasFailed()),
  )
  return metrics
}
