import { listReviewPhotos, listTaskReviews } from '@switchboard/contract/reviews'
import { listTaskRuns, runTask, type TaskRunListQuery } from '@switchboard/contract/runs'
import * as calls from '@switchboard/contract/tasks'
import { versionOf } from '@switchboard/contract/wire/if-match'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { sendList } from '#src/lists/list-reply.ts'
import { bulkHandlers, listHandlers } from '#src/lists/list-handlers.ts'
import { inOrderOf } from '#src/lists/rows.queries.ts'
import { allRuns, pageOfRuns } from '#src/runs/runs.queries.ts'
import * as runs from '#src/runs/runs.service.ts'
import { taskBulk } from './bulk-tasks.service.ts'
import { exportedTasks, matchingTasks, pageOfTasks } from './tasks.queries.ts'
import * as service from './tasks.service.ts'

export function addTaskRoutes(app: ZodApp, deps: Deps): void {
  const list = listHandlers(deps, calls.taskList, {
    page: pageOfTasks,
    matching: matchingTasks,
    exported: exportedTasks,
  })
  app.route({ ...calls.taskList.list, handler: list.list })
  app.route({ ...calls.taskList.export, handler: list.export })
  const bulk = bulkHandlers(deps, calls.taskList, inOrderOf(calls.taskList, matchingTasks), taskBulk)
  app.route({ ...calls.taskList.ids, handler: bulk.ids })
  app.route({ ...calls.taskList.bulk, handler: bulk.bulk })
  app.route({
    ...calls.getTask,
    handler: async (request, reply) => {
      const task = await service.taskOf(deps, request.params.task_id)
      return reply.header('etag', `"${task.version}"`).send(task)
    },
  })
  app.route({
    ...calls.createTask,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createTask(deps, actorOf(request), request.body)),
  })
  app.route({
    ...calls.updateTask,
    handler: async (request, reply) => {
      const target = { id: request.params.task_id, expectedVersion: versionOf(request.headers['if-match']) }
      const task = await service.updateTask(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${task.version}"`).send(task)
    },
  })
  app.route({
    ...calls.deleteTask,
    handler: (request) => service.deleteTask(deps, actorOf(request), request.params),
  })
  app.route({
    ...runTask,
    handler: (request) => runs.runTask(deps, actorOf(request), request.params.task_id, request.body),
  })
  app.route({
    ...listTaskRuns,
    handler: async (request, reply) => {
      const { id } = await service.taskOf(deps, request.params.task_id)
      await sendList(request, reply, request.query, {
        page: (query) => pageOfRuns(deps.db, id, query),
        all: (query: TaskRunListQuery) => allRuns(deps.streamDb, id, query),
      })
    },
  })
  app.route({
    ...listTaskReviews,
    handler: (request) => runs.reviewsOfTask(deps, request.params.task_id),
  })
  app.route({
    ...listReviewPhotos,
    handler: (request) => runs.photosOfReviews(deps, actorOf(request), request.params.task_id),
  })
}
