import * as contract from '@switchboard/contract/email-changes'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { signedInActorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as service from './email-changes.service.ts'

export function addEmailChangeRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...contract.getEmailChange,
    handler: (request) => service.ownEmailChange(deps, signedInActorOf(request)),
  })
  app.route({
    ...contract.resendEmailChange,
    handler: (request) => service.resendEmailChange(deps, signedInActorOf(request), request.params.id),
  })
  app.route({
    ...contract.cancelEmailChange,
    handler: async (request, reply) => {
      await service.cancelEmailChange(deps, signedInActorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({ ...contract.readEmailChange, handler: (request) => service.readEmailChange(deps, request.body.token) })
  app.route({
    ...contract.confirmEmailChange,
    handler: (request) =>
      service.confirmEmailChange(deps, { address: request.ip, request_id: request.id }, request.body.token),
  })
}
