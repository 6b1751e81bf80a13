import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { tokenActor } from '@switchboard/contract/tokens'
import { roleOfScopes, TOKEN_REFUSED } from '@switchboard/contract/tokens/scopes'
import { isWellFormedToken } from '@switchboard/contract/tokens/token-format'
import { AppError, unauthorized } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { rememberNetwork } from '@switchboard/sign-in/sign-in-queue'
import { networkOf } from '@switchboard/sign-in/throttle'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#src/deps.ts'
import { accessTokenHash, bearerToken } from '@switchboard/sign-in/access-token'
import { liveToken, mayUseToken } from '@switchboard/sign-in/service-tokens'
import { type Actor, sessionOfToken, type SignedInActor } from '#src/auth/sessions/sessions.service.ts'

const actors = new WeakMap<FastifyRequest, Actor>()

/** Every route needs a session or a service token unless its endpoint says `public`; runs before any body is read. */
export function authenticateRequests(app: ZodApp, deps: Pick<Deps, 'db' | 'now'>): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404 || request.routeOptions.config.public === true) return
    const token = bearerToken(request.headers.authorization)
    if (token === null) throw unauthorized('Not authenticated')
    const from = { address: request.ip, request_id: request.id }
    const actor = isWellFormedToken(token) ? await serviceActor(deps, token, from) : await person(deps, token)
    if (actor === null) throw unauthorized('Not authenticated')
    if (actor.session_id !== null) rememberNetwork(networkOf(from.address))
    request.userId = actor.id
    actors.set(request, { ...actor, ...from })
  })
}

async function person(deps: Pick<Deps, 'db' | 'now'>, token: string) {
  const session = await sessionOfToken(deps, token)
  return session && { ...session, id: session.admin.id, email: session.admin.email }
}

/**
 * The actor of a service token, or `null` for a token that is unknown, expired, revoked or used from outside of its
 * networks, and for a token whose maker is no longer an active super admin: a removed person must not keep access through
 * a token.
 */
async function serviceActor(
  deps: Pick<Deps, 'db' | 'now'>,
  token: string,
  from: { address: string; request_id: string },
) {
  const token_hash = accessTokenHash(token)
  const found = await liveToken(deps, token_hash)
  if (found === null || !(await mayUseToken(deps, found, from))) return null
  const { id, scopes, created_by_email: email, must_enroll } = found
  const { maker_id, maker_name: name, maker_created_at: created_at } = found
  const maker = { id: maker_id, email, name, role: roleOfScopes(scopes), is_active: true, created_at }
  const admin: CurrentAdmin = must_enroll ? { ...maker, must_enroll } : maker
  return { id, email: tokenActor(found), session_id: null, token_hash, scopes, confirmed_at: null, admin }
}

/** The actor of a request. Throws 401 without a session or a service token. */
export function actorOf(request: FastifyRequest): Actor {
  const actor = actors.get(request)
  if (actor === undefined) throw unauthorized('Not authenticated')
  return actor
}

/** The signed-in person of a request. Throws 401 without a session, and 403 for a service token. */
export function signedInActorOf(request: FastifyRequest): SignedInActor {
  const actor = actorOf(request)
  const { session_id } = actor
  if (session_id === null) throw new AppError(403, TOKEN_REFUSED)
  return { ...actor, session_id }
}

/** The actor of a request, or `null` on a public route. */
export function actorIfAny(request: FastifyRequest): Actor | null {
  return actors.get(request) ?? null
}
