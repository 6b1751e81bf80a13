import { pause } from '@switchboard/database/pause'
import { openRunQueue, type RunQueue } from '@switchboard/jobs/run-queue'
import type { Deps } from './deps.ts'
import { deleteOldKeyUse } from './api-keys/old-key-use.queries.ts'
import { endLostRuns } from './runs/lost-runs.service.ts'
import { FIRST_RETRY_MS } from './runs/retry-delay.ts'
import { giveUpRun, runTask } from './runs/run-task.job.ts'
import { enqueueDueTasks } from './tasks/due-tasks.service.ts'

/** Interval of the search for due tasks and lost runs, in milliseconds. */
const TICK_MS = 60_000

type Worker = {
  deps: Deps
  queue: RunQueue
  /** Ended runs of this process by outcome. */
  totals: () => ReadonlyMap<string, number>
  /** Ends lost runs, enqueues due tasks and deletes old use of API keys, now and every minute. Takes jobs. */
  start(): Promise<void>
  /** Takes no more jobs and waits for running ones, up to eight seconds. */
  stop(): Promise<void>
}

type WorkerOptions = Pick<Deps, 'db' | 'log' | 'places' | 'areReviewsKept'> & {
  /** Database URL without a pooler, for the connections of the job queue. */
  directUrl: string
  firstRetryMs?: number
}

/** Creates a worker. Any number of workers may share a database. The worker takes no jobs before `start`. */
export async function createWorker({
  directUrl,
  firstRetryMs = FIRST_RETRY_MS,
  ...options
}: WorkerOptions): Promise<Worker> {
  const totals = new Map<string, number>()
  const queue = await openRunQueue({ db: options.db, directUrl, log: options.log, isWorker: true })
  const deps: Deps = {
    ...options,
    queue,
    firstRetryMs,
    random: Math.random,
    count: (outcome, more = 1) => void totals.set(outcome, (totals.get(outcome) ?? 0) + more),
  }
  const stopping = new AbortController()
  let ticking = Promise.resolve()
  return {
    deps,
    queue,
    totals: () => totals,
    async start() {
      await queue.work(
        (payload) => runTask(deps, payload),
        (payload) => giveUpRun(deps, payload),
      )
      ticking = tick(deps, stopping.signal)
    },
    async stop() {
      stopping.abort()
      await Promise.all([ticking, queue.stop()])
    },
  }
}

async function tick(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      // Ends lost runs first: a due task with a lost run would be skipped.
      const lost = await endLostRuns(deps)
      if (lost > 0) deps.log.error({ lost }, 'runs without a job were ended')
      const enqueued = await enqueueDueTasks(deps)
      if (enqueued > 0) deps.log.info({ enqueued }, 'due tasks were enqueued')
    } catch (error) {
      // The next tick enqueues the same tasks.
      deps.log.error({ err: error }, 'enqueuing due tasks failed')
    }
    try {
      await deleteOldKeyUse(deps.db)
    } catch (error) {
      deps.log.error({ err: error }, 'deleting old use of API keys failed, the next minute tries again')
    }
    await pause(TICK_MS, signal)
  }
}
