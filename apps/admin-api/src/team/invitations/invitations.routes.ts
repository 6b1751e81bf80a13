import * as contract from '@switchboard/contract/invitations'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { consoleOrigin } from '#src/auth/links/links.service.ts'
import * as service from './invitations.service.ts'

export function addInvitationRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listInvitations, handler: () => service.pendingInvitations(deps) })
  app.route({
    ...contract.createInvitation,
    handler: async (request, reply) => {
      const origin = consoleOrigin(deps, request)
      return reply.code(201).send(await service.createInvitation(deps, actorOf(request), request.body, origin))
    },
  })
  app.route({
    ...contract.resendInvitation,
    handler: (request) =>
      service.resendInvitation(deps, actorOf(request), request.params.id, consoleOrigin(deps, request)),
  })
  app.route({
    ...contract.withdrawInvitation,
    handler: async (request, reply) => {
      await service.withdrawInvitation(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({ ...contract.readInvitation, handler: (request) => service.readInvitation(deps, request.body.token) })
  app.route({
    ...contract.acceptInvitation,
    handler: async (request, reply) => {
      const caller = { address: request.ip, request_id: request.id }
      return reply.code(201).send(await service.acceptInvitation(deps, caller, request.body))
    },
  })
}
