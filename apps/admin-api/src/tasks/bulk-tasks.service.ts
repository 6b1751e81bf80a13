import type { BulkAnswer } from '@switchboard/contract/wire/bulk'
import { deleteTask, type TaskBulkAction, type TaskListQuery, updateTask } from '@switchboard/contract/tasks'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { actOnEach, mustStillMatch } from '#src/lists/bulk.service.ts'
import { matchesTask, namesOfTasks } from './tasks.queries.ts'
import * as service from './tasks.service.ts'

/** Pauses, resumes or deletes many tasks as `actOnEach` says; those that `query` does not match are refused. */
export async function bulkTasks(
  deps: Deps,
  actor: Actor,
  query: TaskListQuery,
  { action, ids }: { action: TaskBulkAction; ids: string[] },
): Promise<BulkAnswer> {
  const guardOf = (id: string) => mustStillMatch((trx) => matchesTask(trx, query, id))
  const setPaused = (is_paused: boolean) => (id: string) =>
    service.updateTask(deps, actor, { id, expectedVersion: null }, { is_paused }, guardOf(id))
  const acts = {
    resume: setPaused(false),
    pause: setPaused(true),
    delete: async (id: string) => {
      const { tenant_id } = await service.taskOf(deps, id)
      await service.deleteTask(deps, actor, { tenant_id, task_id: id }, guardOf(id))
    },
  }
  const isDeletion = action === 'delete'
  return await actOnEach(deps, actor, {
    ids,
    names: await namesOfTasks(deps.db, ids),
    action: (isDeletion ? deleteTask : updateTask).schema.operationId,
    targetType: 'task',
    act: acts[action],
    isDeletion,
  })
}
