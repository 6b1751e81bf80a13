import { unauthorized } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#src/deps.ts'
import { bearerToken } from './access-token.ts'
import { type Actor, sessionOfToken } from '#src/sessions/sessions.service.ts'

const actors = new WeakMap<FastifyRequest, Actor>()

/** Every route needs a session unless its endpoint says `public`; runs before any body is read. */
export function authenticateRequests(app: ZodApp, deps: Pick<Deps, 'db' | 'now'>): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404 || request.routeOptions.config.public === true) return
    const token = bearerToken(request.headers.authorization)
    const session = token === null ? null : await sessionOfToken(deps, token)
    if (session === null) throw unauthorized('Not authenticated')
    const { admin, session_id, token_hash, confirmed_at } = session
    request.userId = admin.id
    actors.set(request, {
      id: admin.id,
      email: admin.email,
      session_id,
      token_hash,
      confirmed_at,
      admin,
      address: request.ip,
      request_id: request.id,
    })
  })
}

/** The signed-in actor of a request. Throws 401 without a session. */
export function actorOf(request: FastifyRequest): Actor {
  const actor = actors.get(request)
  if (actor === undefined) throw unauthorized('Not authenticated')
  return actor
}

/** The signed-in actor of a request, or `null` on a public route. */
export function actorIfAny(request: FastifyRequest): Actor | null {
  return actors.get(request) ?? null
}
