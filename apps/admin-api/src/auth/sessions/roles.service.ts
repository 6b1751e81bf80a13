import { isAllowed, ROLE_REFUSED, type Capability } from '@switchboard/contract/auth/capabilities'
import { type Scope, scopeRefused, scopesOf, TOKEN_REFUSED } from '@switchboard/contract/tokens/scopes'
import { AppError } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Actor } from './sessions.service.ts'

/**
 * Refuses each call that no scope of a service token opens, and each call whose capability the caller's role lacks; runs
 * before any body is read.
 */
export function authorizeRequests(app: ZodApp): void {
  app.addHook('onRequest', async (request) => {
    const { config, schema } = request.routeOptions
    if (request.is404 || config.public === true) return
    const actor = actorOf(request)
    if (actor.scopes === undefined) refuseWithout(actor, config.capability)
    else refuseWithoutScope(actor.scopes, scopesOf({ ...config, operationId: schema?.operationId ?? '' }))
  })
}

function refuseWithoutScope(scopes: readonly Scope[], needed: readonly Scope[]): void {
  if (needed.length === 0) throw new AppError(403, TOKEN_REFUSED)
  if (!needed.some((one) => scopes.includes(one))) throw new AppError(403, scopeRefused(needed))
}

/** Throws 403 if the actor's role lacks the capability. */
export function refuseWithout(
  { admin }: { admin: Pick<Actor['admin'], 'role'> },
  capability: Capability | undefined,
): void {
  if (!isAllowed(admin.role, capability)) throw new AppError(403, ROLE_REFUSED)
}
