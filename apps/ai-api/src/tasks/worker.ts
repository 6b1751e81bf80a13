import { pause } from '@switchboard/database/pause'
import { enqueueDueTasks } from './due-tasks.service.ts'
import { createJobs } from './jobs.ts'
import { endLostRuns } from './lost-runs.service.ts'
import { giveUpRun, runTask } from './run-task.job.ts'
import type { TaskDeps } from './deps.ts'

/** How often due tasks are looked for. */
const TICK_MS = 60_000
/** The wait before the first new attempt of a run. */
const FIRST_RETRY_MS = 15_000

export type Worker = {
  /** What the webhook needs of it. */
  deps: TaskDeps
  /** Ends lost runs and enqueues due tasks, now and every minute. Runs enqueued tasks. */
  start(): Promise<void>
  /** Takes no more work and waits for what is in hand, eight seconds at most. */
  stop(): Promise<void>
  /** Runs of this process by how they ended. */
  totals: () => ReadonlyMap<string, number>
}

export type WorkerOptions = Pick<TaskDeps, 'db' | 'log' | 'places' | 'areReviewsKept'> & {
  /** Database URL without a pooler, for the connections of the jobs. */
  directUrl: string
  firstRetryMs?: number
}

/** The worker of an ai-api, of which many may run over one database. Nothing is connected before `start`. */
export function createWorker({ directUrl, firstRetryMs = FIRST_RETRY_MS, ...given }: WorkerOptions): Worker {
  const totals = new Map<string, number>()
  const jobs = createJobs({ db: given.db, directUrl, log: given.log })
  const deps: TaskDeps = {
    ...given,
    jobs,
    firstRetryMs,
    random: Math.random,
    count: (outcome, more = 1) => void totals.set(outcome, (totals.get(outcome) ?? 0) + more),
  }
  const stopping = new AbortController()
  let ticking = Promise.resolve()
  return {
    deps,
    totals: () => totals,
    async start() {
      await jobs.start(
        (payload) => runTask(deps, payload),
        (payload) => giveUpRun(deps, payload),
      )
      ticking = tick(deps, stopping.signal)
    },
    async stop() {
      stopping.abort()
      await Promise.all([ticking, jobs.stop()])
    },
  }
}

async function tick(deps: TaskDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      // Ends lost runs first: a due task with a lost run would be skipped.
      const lost = await endLostRuns(deps)
      if (lost > 0) deps.log.error({ lost }, 'runs without a job were ended')
      const enqueued = await enqueueDueTasks(deps)
      if (enqueued > 0) deps.log.info({ enqueued }, 'due tasks')
    } catch (error) {
      // The next minute makes up for it.
      deps.log.error({ err: error }, 'due tasks could not be enqueued')
    }
    await pause(TICK_MS, signal)
  }
}
