import type { SystemWorker } from '@switchboard/contract/system'
import { databaseTime } from '@switchboard/database/database-clock'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import { repeatedFailures } from '@switchboard/server/process/repeated-failures'
import { isTracing } from '@switchboard/server/process/tracing'
import type { Kysely, Transaction } from 'kysely'
import { fromKysely, type Instance, type JobResult, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { createJobDatabase, jobSchema } from '@switchboard/database/connection/job-database'
import { createQueue, EXPIRE_SECONDS, LOST_MAX } from './create-queue.ts'
import { type MailQueue, openMailQueue } from './mail-queue.ts'
import { openWebhookQueue, type WebhookQueue } from './webhook-queue.ts'

const RUNS = 'run-task'
const LOST_RUNS = 'run-task-lost'

/** How often workers look for jobs of lost workers. */
const SUPERVISE_SECONDS = 10
/** Maximum number of retries after lost workers. Then the run is given up. */
const RUN_LOST_MAX = 5

/** Concurrent jobs of a worker: `FETCHERS` take up to `BATCH` each, and `RESERVED` more take urgent jobs only. */
const FETCHERS = 4
const BATCH = 5
const RESERVED = 2
const URGENT = 1

/** Read instances of pg-boss, oldest first. It keeps 1,000 that have ended. */
const INSTANCES_MAX = 10_000

/** Time limit for running jobs during a stop, in milliseconds. */
const FINISH_MS = 8_000

const runTaskPayload = z.object({ run_id: z.uuid() })
export type RunTaskPayload = z.infer<typeof runTaskPayload>

type RunJob = RunTaskPayload & {
  /** Goes before all other jobs: an admin waits for the run. */
  isUrgent?: boolean
  delayMs?: number
}
type Handler = (payload: RunTaskPayload) => Promise<void>

/** The queue of the runs: one job for each attempt of a run. */
export type RunQueue = {
  /** The queue of the mails, over the same connections. */
  mails: MailQueue
  /** The queue of the webhooks, over the same connections. */
  webhooks: WebhookQueue
  /** Adds jobs in the caller's transaction. */
  enqueue(trx: Transaction<Database>, jobs: RunJob[]): Promise<void>
  /** Whether the run has an unfinished job, or a job that ended so recently that an attempt may still be running. */
  hasJob(trx: Transaction<Database>, runId: string): Promise<boolean>
  /** The workers that run, and the last ones that stopped or were lost, oldest first. */
  workers(): Promise<SystemWorker[]>
  /** Starts to take jobs. `giveUp` gets the jobs whose workers were lost too often. */
  work(run: Handler, giveUp: Handler): Promise<void>
  /** Takes no more jobs and waits for running ones. Unfinished jobs go to other workers after eight seconds. */
  stop(): Promise<void>
}

type QueueOptions = {
  db: Kysely<Database>
  /** Database URL without a pooler. */
  directUrl: string
  log: Log
  /** A process that only enqueues needs one connection, does not listen and does not supervise other workers. */
  isWorker: boolean
}

/** Opens the queue and creates its schema on the first start. */
export async function openRunQueue({ db, directUrl, log, isWorker }: QueueOptions): Promise<RunQueue> {
  const outcomes = repeatedFailures(log, 'the job queue')
  const database = createJobDatabase(directUrl, { db, max: isWorker ? FETCHERS + 1 : 1, outcomes })
  const schema = await jobSchema(db)
  const boss = new PgBoss({
    db: database,
    schema: schema.name,
    // `create schema if not exists` needs the CREATE privilege even for an existing schema.
    createSchema: !schema.exists,
    supervise: isWorker,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    useListenNotify: isWorker,
    schedule: false,
    // Each job carries the trace of its cause, when the process records traces.
    openTelemetry: { enabled: isTracing(), propagateContext: true },
  })
  // pg-boss also emits plain objects with the properties of an error.
  boss.on('error', (error) => outcomes.failed(Object.assign(new Error(error.message), error)))
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'job queue'))
  let mails: MailQueue
  let webhooks: WebhookQueue
  try {
    await boss.start()
    await createQueue(boss, LOST_RUNS, { retryLimit: LOST_MAX })
    await createQueue(boss, RUNS, { retryLimit: RUN_LOST_MAX, deadLetter: LOST_RUNS, notify: true })
    mails = await openMailQueue(boss, log)
    webhooks = await openWebhookQueue(boss, log)
  } catch (error) {
    // The first error says enough.
    await Promise.allSettled([boss.stop({ graceful: false })])
    await database.close()
    throw error
  }

  return {
    mails,
    webhooks,
    async enqueue(trx, jobs) {
      if (jobs.length > 0) await boss.insert(RUNS, jobs.map(bossJob), { db: fromKysely(trx), returnId: false })
    },
    async hasJob(trx, run_id) {
      const options = { data: { run_id }, db: fromKysely(trx) }
      const jobs = [...(await boss.findJobs(RUNS, options)), ...(await boss.findJobs(LOST_RUNS, options))]
      const since = (await databaseTime(trx)).getTime() - EXPIRE_SECONDS * 1_000
      return jobs.some(({ completedOn }) => completedOn === null || new Date(completedOn).getTime() > since)
    },
    async workers() {
      // Processes that only enqueue register too, but do not supervise.
      const instances = (await boss.getInstances({ limit: INSTANCES_MAX })).filter(({ supervise }) => supervise)
      return instances.map(workerOf)
    },
    async work(run, giveUp) {
      const polling = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2, perJobResults: true as const }
      const fetching = { ...polling, localConcurrency: FETCHERS, batchSize: BATCH, burstWhenBatchFull: true }
      await boss.work(RUNS, fetching, (jobs) => handleAll(jobs, run, log))
      await boss.work(RUNS, { ...polling, localConcurrency: RESERVED, minPriority: URGENT }, (jobs) =>
        handleAll(jobs, run, log),
      )
      await boss.work(LOST_RUNS, { pollingIntervalSeconds: 10, perJobResults: true as const }, (jobs) =>
        handleAll(jobs, giveUp, log),
      )
    },
    async stop() {
      await webhooks.stop()
      await boss.stop({ graceful: true, timeout: FINISH_MS })
      await database.close()
    },
  }
}

function workerOf({ host, pid, live, startedOn, heartbeatOn, workers }: Instance): SystemWorker {
  const ends = workers.flatMap(({ lastJobEndedOn }) => lastJobEndedOn ?? [])
  return {
    host,
    pid,
    started_at: startedOn.toISOString(),
    seen_at: heartbeatOn.toISOString(),
    is_live: live,
    last_job_at: ends.toSorted().at(-1) ?? null,
  }
}

function bossJob({ run_id, isUrgent = false, delayMs = 0 }: RunJob) {
  return {
    data: { run_id },
    priority: isUrgent ? URGENT : 0,
    // In seconds, by the database's clock.
    startAfter: Math.ceil(delayMs / 1_000),
  }
}

/** Handles a batch concurrently. Each job succeeds or fails on its own; pg-boss retries a failed one. */
async function handleAll(jobs: { id: string; data: unknown }[], handle: Handler, log: Log): Promise<JobResult[]> {
  return await Promise.all(
    jobs.map(async ({ id, data }): Promise<JobResult> => {
      try {
        await handle(runTaskPayload.parse(data))
        return { id, status: 'completed' }
      } catch (error) {
        log.error({ err: error, job: data }, 'a job failed')
        return { id, status: 'failed' }
      }
    }),
  )
}
