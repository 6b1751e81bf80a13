import { countInMetrics, createMetrics, measureOne } from '@switchboard/server/process/metrics'
import type { ChainCheck } from './activity/chain-check.service.ts'
import type { Deps } from './deps.ts'
import type { Deleting } from './signals/log-sinks/delete-months.service.ts'

type Counted = Pick<Deps, 'db' | 'runCounts' | 'mailCounts' | 'webhookCounts'>

/** Creates the metrics of a worker: runs, mails and webhooks by outcome, the last check of the audit chain, and deleted months. */
export function createWorkerMetrics(
  { db, runCounts, mailCounts, webhookCounts }: Counted,
  { last }: Pick<ChainCheck, 'last'>,
  { hasFailed }: Pick<Deleting, 'hasFailed'>,
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
    {
      name: 'audit_deletion_failed',
      help: 'Whether the last deletion of a month of the audit log failed, or a log sink holds a month back',
    },
    () => Number(hasFailed()),
  )
  return metrics
}
