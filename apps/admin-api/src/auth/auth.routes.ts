import { login, logout, me } from '@switchboard/contract/auth'
import type { ZodApp } from '@switchboard/server/zod-app'
import type { Deps } from '#src/deps.ts'
import { signIn, signOut } from './auth.service.ts'
import { actorOf } from './authenticate.ts'

export function addAuthRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...login,
    handler: (request) =>
      signIn(
        deps,
        { address: request.ip, request_id: request.id, user_agent: request.headers['user-agent'] ?? null },
        request.body,
      ),
  })
  app.route({ ...me, handler: async (request) => actorOf(request).admin })
  app.route({
    ...logout,
    handler: async (request, reply) => {
      await signOut(deps, actorOf(request))
      return reply.code(204).send(null)
    },
  })
}
