import { listReviewPhotos, listTaskReviews } from '@switchboard/contract/reviews'
import { listTaskRuns, runTask, type TaskRunListQuery } from '@switchboard/contract/runs'
import * as calls from '@switchboard/contract/tasks'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { select } from '#src/lists/bulk.service.ts'
import { auditedRows, sendExport } from '#src/lists/export.service.ts'
import { sendList } from '#src/lists/list-reply.ts'
import { allRuns, pageOfRuns } from '#src/runs/runs.queries.ts'
import * as runs from '#src/runs/runs.service.ts'
import { bulkTasks } from './bulk-tasks.service.ts'
import { EXPORTED_COLUMNS, exportedTasks, pageOfTasks, sortedTasks } from './tasks.queries.ts'
import * as service from './tasks.service.ts'

export function addTaskRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...calls.listTasks,
    handler: (request, reply) =>
      sendList(request, reply, request.query, {
        page: (query) => pageOfTasks(deps.db, query),
        all: (query: calls.TaskListQuery) =>
          auditedRows(deps, request, {
            action: calls.exportTasks.schema.operationId,
            query,
            rows: sortedTasks(deps.streamDb, query),
          }),
      }),
  })
  app.route({
    ...calls.exportTasks,
    handler: (request, reply) =>
      sendExport(deps, request, reply, {
        name: 'tasks',
        action: calls.exportTasks.schema.operationId,
        query: request.query,
        columns: EXPORTED_COLUMNS,
        rows: exportedTasks(deps.streamDb, request.query),
      }),
  })
  app.route({
    ...calls.selectTasks,
    handler: ({ query }) => select(deps, sortedTasks(deps.streamDb, query)),
  })
  app.route({
    ...calls.bulkTasks,
    handler: (request) => bulkTasks(deps, actorOf(request), request.query, request.body),
  })
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

function versionOf(ifMatch: string | undefined): number | null {
  return ifMatch === undefined ? null : Number(ifMatch.slice(1, -1))
}
