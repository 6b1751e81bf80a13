import * as contract from '@switchboard/contract/tasks'
import { versionOf } from '@switchboard/contract/wire/if-match'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { bulkHandlers, exportHandler, listHandler } from '#src/lists/list-handlers.ts'
import { deleteTask, restoreTask } from './deleted-tasks.service.ts'
import { taskBulk } from './task-bulk.service.ts'
import { exportedTasks, listedTasks } from './tasks.queries.ts'
import * as service from './tasks.service.ts'

export function addTaskRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.taskList.list, handler: listHandler(deps, contract.taskList, listedTasks) })
  app.route({ ...contract.taskList.export, handler: exportHandler(deps, contract.taskList, exportedTasks) })
  const bulk = bulkHandlers(deps, contract.taskList, listedTasks, taskBulk)
  app.route({ ...contract.taskList.ids, handler: bulk.ids })
  app.route({ ...contract.taskList.bulk, handler: bulk.bulk })
  app.route({
    ...contract.getTask,
    handler: async (request, reply) => {
      const task = await service.taskOf(deps, request.params.task_id)
      return reply.header('etag', `"${task.version}"`).send(task)
    },
  })
  app.route({
    ...contract.createTask,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createTask(deps, actorOf(request), request.body)),
  })
  app.route({
    ...contract.updateTask,
    handler: async (request, reply) => {
      const target = { id: request.params.task_id, expectedVersion: versionOf(request.headers['if-match']) }
      const task = await service.updateTask(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${task.version}"`).send(task)
    },
  })
  app.route({
    ...contract.deleteTask,
    handler: (request) => deleteTask(deps, actorOf(request), request.params),
  })
  app.route({
    ...contract.restoreTask,
    handler: (request) => restoreTask(deps, actorOf(request), request.params.task_id),
  })
}
