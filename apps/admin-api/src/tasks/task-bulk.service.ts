import * as contract from '@switchboard/contract/tasks'
import type { Task } from '@switchboard/contract/tasks'
import { taskName } from '@switchboard/contract/tasks/task-name'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { deleteTask, restoreTask } from './deleted-tasks.service.ts'
import { lockTaskWithTenant } from './tasks.queries.ts'
import { taskOf, updateTask } from './tasks.service.ts'

/** The bulk changes of tasks. */
export const taskBulk = {
  targetType: 'task',
  lock: lockTaskWithTenant,
  nameOf: taskName,
  actions: {
    resume: setPaused(false),
    pause: setPaused(true),
    delete: {
      endpoint: contract.deleteTask,
      act: async (deps: Deps, actor: Actor, id: string) => {
        const { tenant_id } = await taskOf(deps, id)
        await deleteTask(deps, actor, { tenant_id, task_id: id })
      },
    },
    restore: { endpoint: contract.restoreTask, isDone: () => true, act: restoreTask },
  },
} as const

function setPaused(is_paused: boolean) {
  return {
    endpoint: contract.updateTask,
    isDone: (task: Task) => task.is_paused === is_paused,
    act: (deps: Deps, actor: Actor, id: string) =>
      updateTask(deps, actor, { id, expectedVersion: null }, { is_paused }),
  }
}
