import * as contract from '@switchboard/contract/password-resets'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { requestPasswordReset, resetPassword } from './password-resets.service.ts'

export function addPasswordResetRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...contract.forgotPassword,
    handler: async (request, reply) => {
      await requestPasswordReset(deps, { address: request.ip, request_id: request.id }, request.body.email)
      return reply.code(202).send({ message: contract.RESET_REQUESTED })
    },
  })
  app.route({
    ...contract.resetPassword,
    handler: async (request, reply) => {
      await resetPassword(deps, { address: request.ip, request_id: request.id }, request.body)
      return reply.code(204).send(null)
    },
  })
}
