import { API_KEY_ID_HEADER, authorizeKey, TENANT_ID_HEADER, verifyKey } from '@switchboard/contract/key-verification'
import type { ZodApp } from '@switchboard/server/zod-app'
import type { KeyVerifier } from './keys.service.ts'
import { keyOfRequest, usableKey } from './request-key.service.ts'

export function addKeyRoutes(app: ZodApp, verifier: KeyVerifier): void {
  app.route({
    ...verifyKey,
    handler: async (request, reply) => {
      const verdict = await verifier.check(request.body.api_key, request.body.origin)
      const { tenant_id, api_key_id, grace_ends_at } = usableKey(verdict, request, reply)
      return { tenant_id, api_key_id, grace_ends_at }
    },
  })
  app.route({
    ...authorizeKey,
    handler: async (request, reply) => {
      const { tenant_id, api_key_id } = await keyOfRequest(verifier, request, reply)
      reply.code(204).header(TENANT_ID_HEADER, tenant_id).header(API_KEY_ID_HEADER, api_key_id)
      return null
    },
  })
}
