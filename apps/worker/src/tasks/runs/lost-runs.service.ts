import { inTransaction } from '@switchboard/database/in-transaction'
import type { Deps } from '#src/deps.ts'
import { endRun } from './end-run.service.ts'
import { isOver, RUN_AGAIN_HOURS } from './run-task.job.ts'
import * as queries from './runs.queries.ts'

/** Runs checked per batch. In a healthy queue the oldest batch has jobs, and the search ends there. */
const BATCH = 20

const JOB_LOST = 'The job of this run is no longer in the database, so the run was ended. The task can run again.'

/**
 * Ends unfinished runs without a job, as after a restore without pg-boss's schema. Such a run would block its task
 * permanently. Idempotent, and safe in several workers at once. Returns the number of ended runs.
 */
export async function endLostRuns(deps: Deps): Promise<number> {
  let ended = 0
  for (;;) {
    const ids = await queries.oldestUnfinishedRuns(deps.db, BATCH)
    let lost = 0
    for (const run_id of ids) if (await endIfLost(deps, run_id)) lost += 1
    ended += lost
    if (lost < BATCH) return ended
  }
}

async function endIfLost({ db, queue, runCounts }: Deps, run_id: string): Promise<boolean> {
  const isEnded = await inTransaction(db, async (trx) => {
    const task = await queries.lockTaskOfRun(trx, run_id)
    const run = await queries.lockRun(trx, run_id)
    if (task === undefined || run === undefined || isOver(run) || (await queue.hasJob(trx, run_id))) return false
    await queries.recordFailure(trx, task.id, task.failures_in_a_row)
    await endRun(trx, task, run, { outcome: 'failed', reason: 'job_lost', message: JOB_LOST })
    // The task is not at fault: the next run follows within a day, even for a rare schedule.
    await queries.runAgainWithin(trx, task.id, RUN_AGAIN_HOURS)
    return true
  })
  if (isEnded) runCounts.count('failed')
  return isEnded
}
