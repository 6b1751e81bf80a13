import { nextRun } from '@switchboard/contract/tasks/schedule'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { skipReason, SKIPS, type SkipReason } from '#src/tasks/runs/skips.service.ts'
import { lockDueTasks, moveNextRuns, insertSkips, queueRuns, type Skip } from './due-tasks.queries.ts'

/** Tasks per transaction: enough for speed, few enough to share the due tasks with other workers. */
const BATCH = 500

/**
 * Enqueues every due task once and moves it to its next time after now: a task with many missed times runs once. Safe in
 * several workers at once. Returns the number of enqueued tasks.
 */
export async function enqueueDueTasks(deps: Deps): Promise<number> {
  let enqueued = 0
  for (;;) {
    const batch = await deps.db.transaction().execute(async (trx) => await enqueueBatch(deps, trx))
    enqueued += batch.enqueued
    if (batch.taken < BATCH) return enqueued
  }
}

async function enqueueBatch({ queue, runCounts }: Deps, trx: Transaction<Database>) {
  const due = await lockDueTasks(trx, BATCH)
  if (due.length === 0) return { taken: 0, enqueued: 0 }
  await moveNextRuns(
    trx,
    due.map((task) => ({ id: task.id, next_run: nextRun(task, task.at) })),
  )
  const runnable = due.filter((task) => skipReason(task, 'schedule') === null)
  const runs = await queueRuns(
    trx,
    runnable.map(({ id }) => id),
  )
  const queued = new Set(runs.map(({ task_id }) => task_id))
  const skips = due
    .filter(({ id }) => !queued.has(id))
    .map((task) => skipOf(task, skipReason(task, 'schedule') ?? 'already_running'))
  await insertSkips(trx, skips)
  await queue.enqueue(
    trx,
    runs.map(({ id }) => ({ run_id: id })),
  )
  if (skips.length > 0) runCounts.count('skipped', skips.length)
  return { taken: due.length, enqueued: runs.length }
}

function skipOf({ id }: { id: string }, reason: SkipReason): Skip {
  return { task_id: id, reason, message: SKIPS[reason] }
}
