import { randomBytes } from 'node:crypto'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { pause } from '@switchboard/database/pause'
import { openRunQueue, type RunQueue } from '@switchboard/jobs/run-queue'
import { createCounts } from '@switchboard/server/process/metrics'
import { loggingFailures } from '@switchboard/server/process/repeated-failures'
import { COUNTED_DELIVERIES, COUNTED_MAILS, COUNTED_RUNS, type Deps } from './deps.ts'
import { deleteOldNotices } from '#src/auth/account-notices/account-notices.queries.ts'
import { sendAccountNotice } from '#src/auth/account-notices/send-account-notice.job.ts'
import { noteExpiredKeys } from './api-keys/expired-keys.service.ts'
import { deleteOldOrigins, foldKeyCalls } from './api-keys/old-key-use.queries.ts'
import { deleteOldAnswers } from '#src/requests/idempotency/old-answers.queries.ts'
import { deleteExpiredLinks } from '#src/auth/links/links.queries.ts'
import { sendLink } from '#src/auth/links/send-link.job.ts'
import { deleteOldReviews } from './reviews/old-reviews.queries.ts'
import { endLostRuns } from '#src/tasks/runs/lost-runs.service.ts'
import { deleteOldRuns } from '#src/tasks/runs/old-runs.queries.ts'
import { deleteOldWebhooks } from '#src/tasks/runs/old-webhooks.queries.ts'
import { FIRST_RETRY_MS } from '@switchboard/jobs/retry-delay'
import { giveUpRun, runTask } from '#src/tasks/runs/run-task.job.ts'
import { sendAlertMail } from '#src/signals/alerts/send-alert-mail.job.ts'
import { evaluateAlerts } from '#src/signals/alerts/evaluate-alerts.service.ts'
import { deleteOldAlerts } from '#src/signals/alerts/old-alerts.queries.ts'
import { sendNewSignIn } from '#src/auth/sign-ins/send-new-sign-in.job.ts'
import { enqueueDueTasks } from './tasks/due-tasks.service.ts'
import { purgeDeletions } from './deletions/deletions.service.ts'
import { deleteOldPortalSignIns } from './users/old-portal-sign-ins.queries.ts'
import { deleteOldDeliveries } from './signals/webhooks/old-deliveries.queries.ts'
import { planDeliveries } from './signals/webhooks/plan-deliveries.service.ts'
import { sendWebhook } from './signals/webhooks/send-webhook.job.ts'
import { endSuspensions } from './tenants/suspensions.service.ts'

/** Interval of the search for due tasks and lost runs, in milliseconds. */
const TICK_MS = 60_000
/** Interval at which the audit log is sealed: an entry is sealed within a second. */
const SEAL_MS = 500
/** Interval at which webhooks read the audit log. */
const PLAN_MS = 500
/** Interval of the search for ended suspensions, expired keys and records to delete permanently. */
const ENDS_MS = 20_000
/** Interval of the search for causes of alerts, by all workers together. */
const ALERTS_MS = 10_000

/** What is done with old rows every minute. */
const SWEEPS = {
  'deleting old refused origins': deleteOldOrigins,
  'folding old calls of API keys': foldKeyCalls,
  'deleting old answers': deleteOldAnswers,
  'deleting old runs': deleteOldRuns,
  'deleting old reviews': deleteOldReviews,
  'deleting old webhooks': deleteOldWebhooks,
  'deleting old deliveries of webhooks': deleteOldDeliveries,
  'deleting expired links': deleteExpiredLinks,
  'deleting old notices of accounts': deleteOldNotices,
  'deleting old sign-ins to portals': deleteOldPortalSignIns,
  'deleting old alerts': deleteOldAlerts,
}

type Worker = {
  deps: Deps
  queue: RunQueue
  /**
   * Ends lost runs, enqueues due tasks and deletes old rows, now and every minute. Ends suspensions, notes expired keys and
   * permanently deletes records more often. Seals the audit log and plans deliveries of webhooks. Takes jobs.
   */
  start(): Promise<void>
  /** Takes no more jobs and waits for running ones, up to eight seconds. */
  stop(): Promise<void>
}

type WorkerOptions = Pick<
  Deps,
  'db' | 'log' | 'places' | 'areReviewsKept' | 'mailer' | 'webhookClient' | 'secretKeys'
> & {
  /** Database URL without a pooler, for the connections of the job queue. */
  directUrl: string
  firstRetryMs?: number
  publicUrl?: string | undefined
}

/** Creates a worker. Any number of workers may share a database. The worker takes no jobs before `start`. */
export async function createWorker({
  directUrl,
  firstRetryMs = FIRST_RETRY_MS,
  publicUrl,
  ...options
}: WorkerOptions): Promise<Worker> {
  const queue = await openRunQueue({ db: options.db, directUrl, log: options.log, isWorker: true })
  const deps: Deps = {
    ...options,
    queue,
    mails: queue.mails,
    webhooks: queue.webhooks,
    randomBytes,
    firstRetryMs,
    publicUrl,
    random: Math.random,
    runCounts: createCounts('outcome', COUNTED_RUNS),
    mailCounts: createCounts('outcome', COUNTED_MAILS),
    webhookCounts: createCounts('outcome', COUNTED_DELIVERIES),
  }
  const stopping = new AbortController()
  let ticking: Promise<unknown> = Promise.resolve()
  return {
    deps,
    queue,
    async start() {
      await queue.work(
        (payload) => runTask(deps, payload),
        (payload) => giveUpRun(deps, payload),
      )
      await queue.mails.work((payload) => {
        if ('link_id' in payload) return sendLink(deps, payload)
        if ('alert_mail_id' in payload) return sendAlertMail(deps, payload)
        return 'new_sign_in_id' in payload ? sendNewSignIn(deps, payload) : sendAccountNotice(deps, payload)
      })
      queue.webhooks.work((payload, endJob) => sendWebhook(deps, payload, endJob))
      const { signal } = stopping
      const { log } = deps
      ticking = Promise.all([
        repeat(TICK_MS, signal, everyMinute(deps)),
        repeat(
          SEAL_MS,
          signal,
          loggingFailures(log, 'sealing the audit log', async () => void (await sealAudit(deps.db))),
        ),
        repeat(
          PLAN_MS,
          signal,
          loggingFailures(log, 'planning deliveries of webhooks', async () => {
            if (await planDeliveries(deps)) queue.webhooks.wake()
          }),
        ),
        repeat(
          ENDS_MS,
          signal,
          loggingFailures(log, 'ending suspensions', () => activateTenants(deps)),
        ),
        repeat(
          ENDS_MS,
          signal,
          loggingFailures(log, 'noting expired keys', async () => void (await noteExpiredKeys(deps))),
        ),
        repeat(
          ENDS_MS,
          signal,
          loggingFailures(log, 'deleting tenants permanently', () => deleteTenants(deps)),
        ),
        repeat(
          ALERTS_MS,
          signal,
          loggingFailures(
            log,
            'looking for causes of alerts',
            async () => void (await evaluateAlerts(deps, ALERTS_MS / 2)),
          ),
        ),
      ])
    },
    async stop() {
      stopping.abort()
      await Promise.all([ticking, queue.stop()])
    },
  }
}

async function repeat(everyMs: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await pause(everyMs, signal)
  }
}

/** Returns the work of a minute. Each part fails separately, and the next minute retries it. */
function everyMinute(deps: Deps): () => Promise<void> {
  const sweeps = Object.entries(SWEEPS).map(([name, sweep]) => loggingFailures(deps.log, name, () => sweep(deps.db)))
  const parts = [loggingFailures(deps.log, 'enqueuing due tasks', () => enqueueDue(deps)), ...sweeps]
  return async () => {
    for (const part of parts) await part()
  }
}

async function enqueueDue(deps: Deps): Promise<void> {
  // Lost runs are ended first, because a due task with a lost run would be skipped.
  const lost = await endLostRuns(deps)
  if (lost > 0) deps.log.error({ lost }, 'runs without a job were ended')
  const enqueued = await enqueueDueTasks(deps)
  if (enqueued > 0) deps.log.info({ enqueued }, 'due tasks were enqueued')
}

async function activateTenants(deps: Deps): Promise<void> {
  const ended = await endSuspensions(deps)
  if (ended > 0) deps.log.info({ ended }, 'tenants were reactivated at the end of their suspensions')
}

async function deleteTenants(deps: Deps): Promise<void> {
  const purged = await purgeDeletions(deps)
  if (purged > 0) deps.log.info({ purged }, 'deleted tenants were permanently deleted')
}
