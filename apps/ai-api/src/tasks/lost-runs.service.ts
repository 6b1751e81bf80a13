import type { TaskDeps } from './deps.ts'
import { isOver, MAKE_UP_HOURS } from './run-task.job.ts'
import * as queries from './runs.queries.ts'

/** Runs that are looked at together. In a healthy queue the oldest batch has jobs, and the search ends there. */
const BATCH = 20

/** Message of a run that ends because its job is gone. */
const JOB_LOST = 'The job of this run is no longer in the database, so the run was ended. The task can run again.'

/**
 * Ends the unfinished runs whose job is gone, as after a restore without pg-boss's schema: without a job they would
 * block their task for ever. Safe to call twice and in several workers at once. Returns how many runs were ended.
 */
export async function endLostRuns(deps: TaskDeps): Promise<number> {
  let ended = 0
  for (;;) {
    const ids = await queries.oldestUnfinishedRuns(deps.db, BATCH)
    let lost = 0
    for (const run_id of ids) if (await endIfLost(deps, run_id)) lost += 1
    ended += lost
    if (lost < BATCH) return ended
  }
}

async function endIfLost({ db, jobs, count }: TaskDeps, run_id: string): Promise<boolean> {
  const isEnded = await db.transaction().execute(async (trx) => {
    const task = await queries.lockTaskOfRun(trx, run_id)
    const run = await queries.lockRun(trx, run_id)
    if (task === undefined || run === undefined || isOver(run) || (await jobs.hasJob(trx, run_id))) return false
    await queries.noteFailure(trx, task.id, task.failures_in_a_row)
    await queries.endRun(trx, run_id, { outcome: 'failed', reason: 'job_lost', message: JOB_LOST })
    // The task is not at fault: it runs again within a day, however rare its schedule is.
    await queries.comeAgainWithin(trx, task.id, MAKE_UP_HOURS)
    return true
  })
  if (isEnded) count('failed')
  return isEnded
}
