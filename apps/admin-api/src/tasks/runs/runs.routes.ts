import * as contract from '@switchboard/contract/runs'
import type { TaskRunListQuery } from '@switchboard/contract/runs'
import { runList } from '@switchboard/contract/runs/run-list'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { bulkHandlers, listHandlers } from '#src/lists/list-handlers.ts'
import { sendList } from '#src/lists/list-reply.ts'
import { inOrderOf } from '#src/lists/rows.queries.ts'
import { taskOf } from '#src/tasks/tasks.service.ts'
import { exportedRuns, matchingRuns, pageOfAllRuns } from './run-list.queries.ts'
import { runBulk } from './run-retry.service.ts'
import { allRuns, pageOfRuns } from './runs.queries.ts'
import { runTask } from './runs.service.ts'

export function addRunRoutes(app: ZodApp, deps: Deps): void {
  const list = listHandlers(deps, runList, { page: pageOfAllRuns, matching: matchingRuns, exported: exportedRuns })
  app.route({ ...runList.list, handler: list.list })
  app.route({ ...runList.export, handler: list.export })
  const bulk = bulkHandlers(deps, runList, inOrderOf(runList, matchingRuns), runBulk)
  app.route({ ...runList.ids, handler: bulk.ids })
  app.route({ ...runList.bulk, handler: bulk.bulk })
  app.route({
    ...contract.runTask,
    handler: (request) => runTask(deps, actorOf(request), request.params.task_id, request.body),
  })
  app.route({
    ...contract.listTaskRuns,
    handler: async (request, reply) => {
      const { id } = await taskOf(deps, request.params.task_id)
      await sendList(request, reply, request.query, {
        page: (query) => pageOfRuns(deps.db, id, query),
        all: (query: TaskRunListQuery) => allRuns(deps.streamDb, id, query),
      })
    },
  })
}
