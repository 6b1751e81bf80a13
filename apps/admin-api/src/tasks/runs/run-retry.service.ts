import { runTask, TASK_OF_INACTIVE_TENANT } from '@switchboard/contract/runs'
import { ONLY_FAILED_RUNS, RUN_SINCE } from '@switchboard/contract/runs/run-list'
import { taskName } from '@switchboard/contract/tasks/task-name'
import { auditedTask, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { conflict, notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { insertRetry, lockRunWithTask, type RetriedRun } from './run-retry.queries.ts'

/** The bulk changes of runs. A retry is audited as a run of the task. */
export const runBulk = {
  targetType: 'task',
  targetOf: (run: RetriedRun) => run.task_id,
  lock: lockRunWithTask,
  nameOf: taskName,
  actions: { retry: { endpoint: runTask, skipReason, act: retryRun } },
} as const

/**
 * Enqueues a run of the task of a run, even if the task is paused. Workers take the jobs of a single "Run task now" first.
 * Throws 404, and 409 for a task of an inactive tenant.
 */
async function retryRun({ db, queue, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const run = await lockRunWithTask(trx, id)
    if (run === undefined) throw notFound('Run')
    if (run.tenant_status !== 'active') throw conflict(TASK_OF_INACTIVE_TENANT)
    const run_id = await insertRetry(trx, run.task_id, actor.email)
    await queue.enqueue(trx, [{ run_id }])
    await writeAudit(trx, now(), actor, {
      action: runTask.schema.operationId,
      target: auditedTask({ ...run, id: run.task_id }),
    })
  })
}

function skipReason({ outcome, has_run_since }: RetriedRun): string | null {
  if (outcome !== 'failed') return ONLY_FAILED_RUNS
  return has_run_since ? RUN_SINCE : null
}
