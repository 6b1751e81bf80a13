import { createUser, deleteUser, toggleUser, userList } from '@switchboard/contract/users'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { bulkHandlers, listHandlers } from '#src/lists/list-handlers.ts'
import { inOrderOf } from '#src/lists/rows.queries.ts'
import { userBulk } from './bulk-users.service.ts'
import { matchingUsers, pageOfUsers } from './users.queries.ts'
import * as service from './users.service.ts'

export function addUserRoutes(app: ZodApp, deps: Deps): void {
  const list = listHandlers(deps, userList, { page: pageOfUsers, matching: matchingUsers, exported: matchingUsers })
  app.route({ ...userList.list, handler: list.list })
  app.route({ ...userList.export, handler: list.export })
  const bulk = bulkHandlers(deps, userList, inOrderOf(userList, matchingUsers), userBulk)
  app.route({ ...userList.ids, handler: bulk.ids })
  app.route({ ...userList.bulk, handler: bulk.bulk })
  app.route({
    ...createUser,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createUser(deps, actorOf(request), request.body)),
  })
  app.route({
    ...toggleUser,
    handler: (request) => service.toggleUser(deps, actorOf(request), request.params.id, request.body),
  })
  app.route({
    ...deleteUser,
    handler: async (request, reply) => {
      await service.deleteUser(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
