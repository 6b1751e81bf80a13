import * as contract from '@switchboard/contract/users/user-verification'
import { withWait } from '@switchboard/database/connection/connect'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { SIGN_IN_WAIT_MS } from '@switchboard/sign-in/sign-in-queue'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod/mini'
import { type Credentials, tenantOfRequest } from '#src/api-keys/request-key.service.ts'
import { acceptInvitation, changePassword, requireTenant, type UserDeps, verifyUser } from './users.service.ts'
import type { Caller } from './verify-password.ts'

export function addUserRoutes(app: ZodApp, deps: UserDeps, credentials: Credentials): void {
  const callerOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    {
      tenant_id: named,
      client_address,
    }: Pick<z.infer<typeof contract.credentialsBody>, 'tenant_id' | 'client_address'>,
  ): Promise<Caller> => {
    const tenant = await tenantOfRequest(credentials, request, reply, named)
    await requireTenant(deps, tenant)
    return { ...tenant, address: client_address ?? request.ip, request_id: request.id }
  }
  const patientDeps = { ...deps, db: withWait(deps.db, SIGN_IN_WAIT_MS) }
  app.route({
    ...contract.verifyUser,
    handler: async (request, reply) => {
      const { tenant_id, client_address, ...typed } = request.body
      const caller = await callerOf(request, reply, { tenant_id, client_address })
      return await verifyUser(patientDeps, caller, typed)
    },
  })
  app.route({
    ...contract.changeUserPassword,
    handler: async (request, reply) => {
      const { tenant_id, client_address, ...typed } = request.body
      return await changePassword(deps, await callerOf(request, reply, { tenant_id, client_address }), typed)
    },
  })
  app.route({
    ...contract.acceptUserInvitation,
    handler: async (request, reply) => {
      const { tenant_id, client_address, ...typed } = request.body
      return await acceptInvitation(deps, await callerOf(request, reply, { tenant_id, client_address }), typed)
    },
  })
}
