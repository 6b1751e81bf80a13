import { isAllowed, ROLE_REFUSED, type Capability } from '@switchboard/contract/auth/capabilities'
import { isForPeopleOnly, TOKEN_REFUSED } from '@switchboard/contract/tokens'
import { AppError } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Actor } from './sessions.service.ts'

/**
 * Refuses each call for people to machine tokens, and each call whose capability the caller's role lacks; runs before any
 * body is read.
 */
export function authorizeRequests(app: ZodApp): void {
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    if (request.is404 || config.public === true) return
    const actor = actorOf(request)
    if (actor.session_id === null && isForPeopleOnly(config)) throw new AppError(403, TOKEN_REFUSED)
    refuseWithout(actor, config.capability)
  })
}

/** Throws 403 if the actor's role lacks the capability. */
export function refuseWithout(
  { admin }: { admin: Pick<Actor['admin'], 'role'> },
  capability: Capability | undefined,
): void {
  if (!isAllowed(admin.role, capability)) throw new AppError(403, ROLE_REFUSED)
}
