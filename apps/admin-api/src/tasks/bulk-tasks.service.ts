import { deleteTask, type Task, updateTask } from '@switchboard/contract/tasks'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/sessions/sessions.service.ts'
import { lockTaskWithTenant } from './tasks.queries.ts'
import * as service from './tasks.service.ts'

export const taskBulk = {
  targetType: 'task',
  lock: lockTaskWithTenant,
  nameOf: (task: Task) => task.tenant_name,
  actions: {
    resume: setPaused(false),
    pause: setPaused(true),
    delete: {
      endpoint: deleteTask,
      act: async (deps: Deps, actor: Actor, id: string) => {
        const { tenant_id } = await service.taskOf(deps, id)
        await service.deleteTask(deps, actor, { tenant_id, task_id: id })
      },
    },
  },
} as const

function setPaused(is_paused: boolean) {
  return {
    endpoint: updateTask,
    isDone: (task: Task) => task.is_paused === is_paused,
    act: (deps: Deps, actor: Actor, id: string) =>
      service.updateTask(deps, actor, { id, expectedVersion: null }, { is_paused }),
  }
}
