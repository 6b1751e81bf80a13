import * as contract from '@switchboard/contract/tasks'
import type { Task } from '@switchboard/contract/tasks'
import { auditedTask, removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import { notFound } from '@switchboard/server/http/errors'
import { moveAway, moveBack } from '#src/lists/deletions/deletions.queries.ts'
import { lockDeletion } from '#src/lists/deletions/deletions.service.ts'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { lockTask, taskById } from './tasks.queries.ts'
import { givenTime } from './tasks.service.ts'

/** Deletes a task with its runs and reviews. Throws 404, also for a task of another tenant. */
export async function deleteTask(
  { db, now }: Deps,
  actor: Actor,
  { tenant_id, task_id }: { tenant_id: string; task_id: string },
): Promise<{ success: true; message: string }> {
  await inTransaction(db, async (trx) => {
    await lockOwningTenant(trx, tenant_id)
    const task = await lockTask(trx, task_id)
    if (task?.tenant_id !== tenant_id) throw notFound('Task')
    await moveAway(trx, 'tasks', task.id)
    const { tenant_name, schedule_name, frequency, extra_data } = task
    await writeAudit(trx, now(), actor, {
      action: contract.deleteTask.schema.operationId,
      target: auditedTask(task),
      changes: removedFields({ tenant_name, schedule_name, frequency, ...givenTime(task), ...extra_data }),
    })
  })
  return { success: true, message: 'The task was deleted.' }
}

/**
 * Restores a deleted task with its runs and reviews. A restored task stays as it is. Throws 404, and 409 when the tenant has
 * another task for the place, and while the tenant is deleted.
 */
export async function restoreTask({ db, now }: Deps, actor: Actor, id: string): Promise<Task> {
  return await inTransaction(db, async (trx) => {
    const deletion = await lockDeletion(trx, 'tasks', id)
    if (deletion !== undefined) await moveBack(trx, 'tasks', id)
    const task = await taskById(trx, id)
    if (task === undefined) throw notFound('Deleted task')
    if (deletion === undefined) return task
    await writeAudit(trx, now(), actor, {
      action: contract.restoreTask.schema.operationId,
      target: auditedTask(task),
    })
    return task
  })
}
