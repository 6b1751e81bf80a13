import * as contract from '@switchboard/contract/account'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { signedInActorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { updateProfile } from './account.service.ts'
import * as sessions from './own-sessions.service.ts'

export function addAccountRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...contract.updateProfile,
    handler: (request) => updateProfile(deps, signedInActorOf(request), request.body),
  })
  app.route({ ...contract.listSessions, handler: (request) => sessions.ownSessions(deps, signedInActorOf(request)) })
  app.route({
    ...contract.endSession,
    handler: async (request, reply) => {
      await sessions.endSession(deps, signedInActorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...contract.endOtherSessions,
    handler: async (request, reply) => {
      await sessions.endOtherSessions(deps, signedInActorOf(request))
      return reply.code(204).send(null)
    },
  })
}
