import { pause } from '@switchboard/database/pause'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import { loggingFailures } from '@switchboard/server/process/repeated-failures'
import type { Transaction } from 'kysely'
import { fromKysely, type Job, type PgBoss } from 'pg-boss'
import { z } from 'zod'
import { createQueue, LOST_MAX } from './create-queue.ts'

const WEBHOOKS = 'send-webhook'

/** The shortest that pg-boss allows: until then the jobs of a lost worker hold the slots of their webhooks. */
const HEARTBEAT_SECONDS = 10
const REPORT_MS = 3_000
const COMPLETED_RETENTION_SECONDS = 600

/** Attempts of a worker at once, and those to one webhook of all workers: a slow receiver leaves room for the others. */
const SLOTS = 100
const SLOTS_OF_WEBHOOK = 8
const BATCH = 20
/** Also how late a job of another process may be taken. */
const POLL_MS = 1_000
/** Time limit for running attempts during a stop. Unfinished ones go to other workers. */
const FINISH_MS = 8_000

const sendWebhookPayload = z.object({ delivery_id: z.uuid(), job_id: z.uuid() })
export type SendWebhookPayload = z.infer<typeof sendWebhookPayload>

/** Ends the job of an attempt in the transaction that writes its result. Does nothing if the job has gone to another worker. */
export type EndJob = (trx: Transaction<Database>) => Promise<void>

/** The queue of the webhooks: one job for each attempt of a delivery. */
export type WebhookQueue = {
  /** Adds jobs in the caller's transaction. */
  enqueue: (
    trx: Transaction<Database>,
    jobs: (SendWebhookPayload & { webhook_id: string; delayMs?: number })[],
  ) => Promise<void>
  /** Starts to take jobs. */
  work: (send: Send) => void
  /** Takes jobs at once that this process has added. */
  wake: () => void
  /** Takes no more jobs and waits for running ones. */
  stop: () => Promise<void>
}

type Send = (payload: SendWebhookPayload, endJob: EndJob) => Promise<void>

/** Opens the queue of the webhooks on the connections of the job queue. */
export async function openWebhookQueue(boss: PgBoss, log: Log): Promise<WebhookQueue> {
  await createQueue(boss, WEBHOOKS, {
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: LOST_MAX,
    deleteAfterSeconds: COMPLETED_RETENTION_SECONDS,
  })
  const stopping = new AbortController()
  const running = new Map<Job<unknown>, Promise<void>>()
  let taking: Promise<void> = Promise.resolve()
  let waiting = new AbortController()
  let isWoken = false
  const report = loggingFailures(log, 'reporting jobs of webhooks', async () => {
    if (running.size > 0) await boss.touch(WEBHOOKS, [...running.keys()])
  })

  /** Takes jobs as slots become free. `work` of pg-boss would wait for the slowest job of each batch. */
  async function takeJobs(send: Send): Promise<void> {
    let isIdle = true
    const take = loggingFailures(log, 'taking jobs of webhooks', async () => {
      isIdle = true
      const batchSize = Math.min(BATCH, SLOTS - running.size)
      const jobs = await boss.fetch(WEBHOOKS, { batchSize, groupConcurrency: SLOTS_OF_WEBHOOK })
      for (const job of jobs) {
        const run = handle(boss, job, send, log).finally(() => running.delete(job))
        running.set(job, run)
      }
      isIdle = jobs.length === 0
    })
    while (!stopping.signal.aborted) {
      isWoken = false
      if (running.size < SLOTS) await take()
      else await Promise.race(running.values())
      if (isIdle && !isWoken) await untilNext()
    }
  }

  /** Waits a moment, or until there may be more jobs: a running one has ended, or `wake` was called. */
  async function untilNext(): Promise<void> {
    waiting = new AbortController()
    const signal = AbortSignal.any([stopping.signal, waiting.signal])
    await Promise.race([pause(POLL_MS, signal), ...running.values()])
    waiting.abort()
  }

  const reporting = setInterval(() => void report(), REPORT_MS)
  return {
    async enqueue(trx, jobs) {
      if (jobs.length === 0) return
      const rows = jobs.map(({ webhook_id, delayMs = 0, ...data }) => ({
        data,
        group: { id: webhook_id },
        startAfter: Math.ceil(delayMs / 1_000),
      }))
      await boss.insert(WEBHOOKS, rows, { db: fromKysely(trx), returnId: false })
    },
    work(send) {
      taking = takeJobs(send)
    },
    wake() {
      isWoken = true
      waiting.abort()
    },
    async stop() {
      stopping.abort()
      await taking
      const timeout = new AbortController()
      await Promise.race([Promise.all(running.values()), pause(FINISH_MS, timeout.signal)])
      timeout.abort()
      clearInterval(reporting)
    },
  }
}

/** Sends a delivery, which ends its job. Never throws: a job that does not end goes to a worker again. */
async function handle(boss: PgBoss, job: Job<unknown>, send: Send, log: Log): Promise<void> {
  try {
    await send(sendWebhookPayload.parse(job.data), async (trx) => {
      await boss.complete(WEBHOOKS, job, null, { db: fromKysely(trx) })
    })
  } catch (error) {
    log.error({ err: error, job: job.data }, 'a job of a webhook failed')
    await boss.fail(WEBHOOKS, job).catch((failure: unknown) => log.error({ err: failure }, 'a job could not be ended'))
  }
}
