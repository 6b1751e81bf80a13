import * as contract from '@switchboard/contract/users/user-verification'
import { withWait } from '@switchboard/database/connection/connect'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { SIGN_IN_WAIT_MS } from '@switchboard/sign-in/sign-in-queue'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyVerifier } from '#src/api-keys/key-verifier.service.ts'
import { keyOfRequest } from '#src/api-keys/request-key.service.ts'
import { changePassword, type UserDeps, verifyUser } from './users.service.ts'
import type { Caller } from './verify-password.ts'

export function addUserRoutes(app: ZodApp, deps: UserDeps, verifier: KeyVerifier): void {
  const callerOf = async (request: FastifyRequest, reply: FastifyReply, clientAddress?: string): Promise<Caller> => {
    const { tenant_id, api_key_id } = await keyOfRequest(verifier, request, reply)
    return { tenant_id, api_key_id, address: clientAddress ?? request.ip, request_id: request.id }
  }
  const patientDeps = { ...deps, db: withWait(deps.db, SIGN_IN_WAIT_MS) }
  app.route({
    ...contract.verifyUser,
    handler: async (request, reply) => {
      const { client_address, ...credentials } = request.body
      return await verifyUser(patientDeps, await callerOf(request, reply, client_address), credentials)
    },
  })
  app.route({
    ...contract.changeUserPassword,
    handler: async (request, reply) => {
      const { client_address, ...credentials } = request.body
      return await changePassword(deps, await callerOf(request, reply, client_address), credentials)
    },
  })
}
