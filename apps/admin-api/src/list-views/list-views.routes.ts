import * as contract from '@switchboard/contract/list-views'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as service from './list-views.service.ts'

export function addListViewRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...contract.listListViews,
    handler: (request) => service.listViews(deps, actorOf(request), request.query.list),
  })
  app.route({
    ...contract.createListView,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createListView(deps, actorOf(request), request.body)),
  })
  app.route({
    ...contract.updateListView,
    handler: (request) => service.updateListView(deps, actorOf(request), request.params.id, request.body),
  })
  app.route({
    ...contract.deleteListView,
    handler: async (request, reply) => {
      await service.deleteListView(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
