import { beginConfirmation, checkConfirmation, confirm } from '@switchboard/contract/auth/confirmation'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { signedInActorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { siteOf } from '#src/auth/second-factors/passkeys.service.ts'
import { askForConfirmation, confirmSession } from './confirmation.service.ts'

export function addConfirmationRoutes(app: ZodApp, deps: Deps): void {
  // `requireConfirmations` has refused the call before.
  app.route({ ...checkConfirmation, handler: async (_request, reply) => reply.code(204).send(null) })
  app.route({
    ...beginConfirmation,
    handler: (request) => askForConfirmation(deps, signedInActorOf(request), siteOf(deps.publicUrl, request)),
  })
  app.route({
    ...confirm,
    handler: (request) => confirmSession(deps, signedInActorOf(request), siteOf(deps.publicUrl, request), request.body),
  })
}
