import { METHODS } from 'node:http'
import {
  API_KEY_ID_HEADER,
  authorizeKey,
  authorizeRepeated,
  KEY_ENVIRONMENT_HEADER,
  TENANT_ID_HEADER,
  verifyKey,
} from '@switchboard/contract/api-keys/key-verification'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endOfTurn } from '#src/end-of-turn.ts'
import type { KeyVerifier } from './key-verifier.service.ts'
import { checkKey, type Credentials, keyOfRequest, usableKey } from './request-key.service.ts'

/** Node handles CONNECT itself, and Fastify adds HEAD to GET. */
const OTHER_METHODS = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD'].includes(method))

export function addApiKeyRoutes(app: ZodApp, credentials: Credentials): void {
  app.route({
    ...verifyKey,
    handler: async (request, reply) => {
      const { verdict, told } = await checkKey(credentials, request, request.body)
      const key = usableKey(verdict, request, reply, told && { code: verdict.outcome, ...told })
      const { tenant_id, api_key_id, environment, grace_ends_at } = key
      await endOfTurn()
      return { tenant_id, api_key_id, environment, grace_ends_at, ...told }
    },
  })
  addAuthorizeRoutes(app, credentials.verifier)
}

function addAuthorizeRoutes(app: ZodApp, verifier: KeyVerifier): void {
  for (const method of OTHER_METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const answer = (status: 200 | 204) => ({
    // A gateway forwards any content type and any length. Fastify would refuse some of them before the handler, so the
    // hook answers before the body is parsed; Node discards the body.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const { tenant_id, api_key_id, environment } = await keyOfRequest(verifier, request, reply)
      await endOfTurn()
      return await reply
        .code(status)
        .header(TENANT_ID_HEADER, tenant_id)
        .header(API_KEY_ID_HEADER, api_key_id)
        .header(KEY_ENVIRONMENT_HEADER, environment)
        .send()
    },
    handler: () => null,
  })
  const others = { method: OTHER_METHODS, schema: { hide: true } }
  app.route({ ...authorizeKey, ...answer(204) })
  app.route({ ...authorizeKey, ...others, ...answer(204) })
  app.route({ ...authorizeRepeated, ...answer(200) })
  app.route({ ...authorizeRepeated, ...others, ...answer(200) })
}
