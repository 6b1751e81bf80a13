import * as contract from '@switchboard/contract/runs'
import type { TaskRunListQuery } from '@switchboard/contract/runs'
import { runList } from '@switchboard/contract/runs/run-list'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { bulkHandlers, exportHandler, listHandler } from '#src/lists/list-handlers.ts'
import { sendList } from '#src/lists/list-reply.ts'
import { taskOf } from '#src/tasks/tasks.service.ts'
import { exportedRuns, listedRuns } from './run-list.queries.ts'
import { runBulk } from './run-retry.service.ts'
import { allRuns, pageOfRuns } from './runs.queries.ts'
import { runTask } from './runs.service.ts'

export function addRunRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...runList.list, handler: listHandler(deps, runList, listedRuns) })
  app.route({ ...runList.export, handler: exportHandler(deps, runList, exportedRuns) })
  const bulk = bulkHandlers(deps, runList, listedRuns, runBulk)
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
