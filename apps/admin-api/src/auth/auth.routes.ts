import { login, logout, me } from '@switchboard/contract/auth'
import { endOtherSessions, endSession, listSessions, updateProfile } from '@switchboard/contract/account'
import { checkPassword } from '@switchboard/contract/auth/passwords'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { signIn, signOut } from './auth.service.ts'
import { actorOf } from './authenticate.ts'
import { judgePassword } from '#src/passwords/new-password.service.ts'
import * as sessions from '#src/sessions/own-sessions.service.ts'
import * as profile from '#src/account/account.service.ts'

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
  app.route({
    ...updateProfile,
    handler: (request) => profile.updateProfile(deps, actorOf(request), request.body),
  })
  app.route({
    ...checkPassword,
    handler: (request) => judgePassword(deps, request.body.password, request.body),
  })
  app.route({ ...listSessions, handler: (request) => sessions.ownSessions(deps, actorOf(request)) })
  app.route({
    ...endSession,
    handler: async (request, reply) => {
      await sessions.endSession(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...endOtherSessions,
    handler: async (request, reply) => {
      await sessions.endOtherSessions(deps, actorOf(request))
      return reply.code(204).send(null)
    },
  })
}
