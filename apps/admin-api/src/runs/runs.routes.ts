import * as contract from '@switchboard/contract/runs'
import type { TaskRunListQuery } from '@switchboard/contract/runs'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { sendList } from '#src/lists/list-reply.ts'
import { taskOf } from '#src/tasks/tasks.service.ts'
import { allRuns, pageOfRuns } from './runs.queries.ts'
import { runTask } from './runs.service.ts'

export function addRunRoutes(app: ZodApp, deps: Deps): void {
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
