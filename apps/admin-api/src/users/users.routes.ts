import * as contract from '@switchboard/contract/users'
import { importUsers as importEndpoint } from '@switchboard/contract/users/user-import'
import { portalSignInList } from '@switchboard/contract/users/portal-sign-ins'
import { versionOf } from '@switchboard/contract/wire/if-match'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { bulkHandlers, exportHandler, listHandler } from '#src/lists/list-handlers.ts'
import { createUser } from './create-user.service.ts'
import { deleteUser, restoreUser } from './deleted-users.service.ts'
import { importUsers } from './import-users.service.ts'
import { listedPortalSignIns } from './portal-sign-ins/portal-sign-ins.queries.ts'
import { inviteUser } from './user-invitation.service.ts'
import { userBulk } from './user-bulk.service.ts'
import { listedUsers } from './users.queries.ts'
import * as service from './users.service.ts'
import { setUserPassword } from './user-password.service.ts'

export function addUserRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.userList.list, handler: listHandler(deps, contract.userList, listedUsers) })
  app.route({ ...contract.userList.export, handler: exportHandler(deps, contract.userList, listedUsers) })
  const bulk = bulkHandlers(deps, contract.userList, listedUsers, userBulk)
  app.route({ ...contract.userList.ids, handler: bulk.ids })
  app.route({ ...contract.userList.bulk, handler: bulk.bulk })
  app.route({
    ...contract.getUser,
    handler: async (request, reply) => {
      const user = await service.userOf(deps, request.params.id)
      return reply.header('etag', `"${user.version}"`).send(user)
    },
  })
  app.route({
    ...contract.createUser,
    handler: async (request, reply) => reply.code(201).send(await createUser(deps, actorOf(request), request.body)),
  })
  app.route({
    ...importEndpoint,
    handler: (request) => importUsers(deps, actorOf(request), request.body),
  })
  app.route({
    ...contract.updateUser,
    handler: async (request, reply) => {
      const target = { id: request.params.id, expectedVersion: versionOf(request.headers['if-match']) }
      const user = await service.updateUser(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${user.version}"`).send(user)
    },
  })
  app.route({
    ...contract.inviteUser,
    handler: (request) => inviteUser(deps, actorOf(request), request.params.id),
  })
  app.route({
    ...contract.setUserPassword,
    handler: (request) => setUserPassword(deps, actorOf(request), request.params.id, request.body.password),
  })
  app.route({
    ...contract.toggleUser,
    handler: (request) => service.toggleUser(deps, actorOf(request), request.params.id, request.body),
  })
  app.route({
    ...contract.deleteUser,
    handler: async (request, reply) => {
      await deleteUser(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...contract.restoreUser,
    handler: (request) => restoreUser(deps, actorOf(request), request.params.id),
  })
  app.route({ ...portalSignInList.list, handler: listHandler(deps, portalSignInList, listedPortalSignIns) })
}
