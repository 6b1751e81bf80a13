import * as contract from '@switchboard/contract/tokens'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { createToken, listTokens, revokeToken } from './tokens.service.ts'

export function addTokenRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listTokens, handler: () => listTokens(deps) })
  app.route({
    ...contract.createToken,
    handler: async (request, reply) => reply.code(201).send(await createToken(deps, actorOf(request), request.body)),
  })
  app.route({
    ...contract.revokeToken,
    handler: async (request, reply) => {
      await revokeToken(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
