import { confirm } from '@switchboard/contract/auth/confirmation'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { confirmSession } from './confirmation.service.ts'

export function addConfirmationRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...confirm, handler: (request) => confirmSession(deps, actorOf(request), request.body) })
}
