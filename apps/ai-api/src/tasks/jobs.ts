import { createJobDatabase, jobSchema } from '@switchboard/database/job-database'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import type { Kysely, Transaction } from 'kysely'
import { fromKysely, type JobResult, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { databaseTime } from './runs.queries.ts'

const runTaskPayload = z.object({ run_id: z.uuid() })
export type RunTaskPayload = z.infer<typeof runTaskPayload>

const RUNS = 'run-task'
const LOST_RUNS = 'run-task-lost'

/**
 * A worker says every five seconds that it lives. After fifteen seconds of silence its jobs are given to others, by a
 * supervisor that looks every ten: half a minute in all, where two are allowed.
 */
const HEARTBEAT_SECONDS = 15
const SUPERVISE_SECONDS = 10
/** What a job may take: one call to Google (15 s), and what the database may be late. */
const EXPIRE_SECONDS = 60
/** How often a job is given to others before its run is given up, and the first wait before that, doubled each time. */
const LOST_MAX = 5
const LOST_DELAY_SECONDS = 2
/** A job that nobody took in a year would otherwise be removed and leave its run waiting for ever. */
const RETENTION_SECONDS = 366 * 86_400
/** Done jobs say nothing that the runs do not. */
const DONE_KEPT_SECONDS = 3_600

/** Jobs in hand at once: `FETCHERS` take up to `BATCH` each. Those that an admin waits for have two places of their own. */
const FETCHERS = 4
const BATCH = 5
const RESERVED = 2
const URGENT = 1

/** How long jobs in hand may go on after a stop, in milliseconds (design §6, Shutdown). */
const FINISH_MS = 8_000

type Job = RunTaskPayload & {
  /** Before all that are not. */
  isUrgent?: boolean
  delayMs?: number
}

export type Jobs = {
  /** Adds jobs in the caller's transaction: they are there when it commits. */
  enqueue(trx: Transaction<Database>, jobs: Job[]): Promise<void>
  /** Whether this run has an unfinished job, or a job finished so recently that an attempt may still be running. */
  hasJob(trx: Transaction<Database>, runId: string): Promise<boolean>
  /** Begins to take jobs. `giveUp` gets those whose workers were lost too often. */
  start(run: Take, giveUp: Take): Promise<void>
  /** Takes no more jobs and waits for those in hand; what is not done in eight seconds goes to others. */
  stop(): Promise<void>
}
type Take = (payload: RunTaskPayload) => Promise<void>

type JobDeps = {
  db: Kysely<Database>
  /** Database URL without a pooler. */
  directUrl: string
  log: Log
}

/** Jobs over a database. Before `start`, nothing is connected and nothing can be enqueued. */
export function createJobs({ db, directUrl, log }: JobDeps): Jobs {
  const database = createJobDatabase(directUrl, {
    db,
    max: FETCHERS + 1,
    onLost: (error) => log.warn({ err: error }, 'database connection of the jobs lost'),
  })
  let boss: PgBoss | undefined
  const startedBoss = (): PgBoss => {
    if (boss === undefined) throw new Error('The jobs are not started.')
    return boss
  }

  return {
    async enqueue(trx, jobs) {
      if (jobs.length === 0) return
      await startedBoss().insert(RUNS, jobs.map(bossJob), { db: fromKysely(trx), returnId: false })
    },
    async hasJob(trx, run_id) {
      const options = { data: { run_id }, db: fromKysely(trx) }
      const queues = startedBoss()
      const jobs = [...(await queues.findJobs(RUNS, options)), ...(await queues.findJobs(LOST_RUNS, options))]
      const since = (await databaseTime(trx)).getTime() - EXPIRE_SECONDS * 1_000
      return jobs.some(({ completedOn }) => completedOn === null || new Date(completedOn).getTime() > since)
    },
    async start(run, giveUp) {
      const schema = await jobSchema(db)
      boss = new PgBoss({
        db: database,
        schema: schema.name,
        // `create schema if not exists` needs the CREATE privilege even for an existing schema.
        createSchema: !schema.exists,
        superviseIntervalSeconds: SUPERVISE_SECONDS,
        monitorIntervalSeconds: SUPERVISE_SECONDS,
        useListenNotify: true,
        schedule: false,
      })
      boss.on('error', (error) => log.warn({ err: error }, 'jobs'))
      boss.on('warning', ({ message }) => log.warn({ warning: message }, 'jobs'))
      await boss.start()
      const lasting = { retentionSeconds: RETENTION_SECONDS, deleteAfterSeconds: DONE_KEPT_SECONDS }
      const lost = { ...lasting, expireInSeconds: EXPIRE_SECONDS, retryLimit: 1_000, retryDelay: 60 }
      const runs = {
        ...lasting,
        expireInSeconds: EXPIRE_SECONDS,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        retryLimit: LOST_MAX,
        retryDelay: LOST_DELAY_SECONDS,
        retryBackoff: true,
        deadLetter: LOST_RUNS,
        notify: true,
      }
      for (const [name, options] of [[LOST_RUNS, lost] as const, [RUNS, runs] as const]) {
        await boss.createQueue(name, options)
        // It may be there from an earlier release.
        await boss.updateQueue(name, options)
      }
      const pace = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2, perJobResults: true as const }
      const fetching = { ...pace, localConcurrency: FETCHERS, batchSize: BATCH, burstWhenBatchFull: true }
      await boss.work(RUNS, fetching, (jobs) => eachJob(jobs, run, log))
      await boss.work(RUNS, { ...pace, localConcurrency: RESERVED, minPriority: URGENT }, (jobs) =>
        eachJob(jobs, run, log),
      )
      await boss.work(LOST_RUNS, { pollingIntervalSeconds: 10, perJobResults: true as const }, (jobs) =>
        eachJob(jobs, giveUp, log),
      )
    },
    async stop() {
      await boss?.stop({ graceful: true, timeout: FINISH_MS })
      await database.close()
    },
  }
}

function bossJob({ run_id, isUrgent = false, delayMs = 0 }: Job) {
  return {
    data: { run_id },
    priority: isUrgent ? URGENT : 0,
    // Seconds, counted by the database.
    startAfter: Math.ceil(delayMs / 1_000),
  }
}

/** A batch goes on side by side. One that breaks is tried again by whoever is next; the others are done. */
async function eachJob(jobs: { id: string; data: unknown }[], take: Take, log: Log): Promise<JobResult[]> {
  return await Promise.all(
    jobs.map(async ({ id, data }): Promise<JobResult> => {
      try {
        await take(runTaskPayload.parse(data))
        return { id, status: 'completed' }
      } catch (error) {
        log.error({ err: error, job: data }, 'a job broke')
        return { id, status: 'failed' }
      }
    }),
  )
}
