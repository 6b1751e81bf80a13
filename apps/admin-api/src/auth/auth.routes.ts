import * as contract from '@switchboard/contract/auth'
import { checkPassword } from '@switchboard/contract/auth/passwords'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { judgePassword } from '@switchboard/sign-in/new-password'
import { signIn, signOut } from './auth.service.ts'
import { actorOf, signedInActorOf } from './authenticate.ts'

export function addAuthRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...contract.login,
    handler: (request) =>
      signIn(
        deps,
        { address: request.ip, request_id: request.id, user_agent: request.headers['user-agent'] ?? null },
        request.body,
      ),
  })
  app.route({ ...contract.me, handler: async (request) => actorOf(request).admin })
  app.route({
    ...contract.logout,
    handler: async (request, reply) => {
      await signOut(deps, signedInActorOf(request))
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...checkPassword,
    handler: (request) => judgePassword(deps, request.body.password, request.body),
  })
}
