import { METHODS } from 'node:http'
import {
  API_KEY_ID_HEADER,
  authorizeKey,
  authorizeRepeated,
  TENANT_ID_HEADER,
  verifyKey,
} from '@switchboard/contract/api-keys/key-verification'
import { jsonReader } from '@switchboard/server/http/input'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyVerifier } from './api-keys.service.ts'
import { keyOfRequest, usableKey } from './request-key.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the body is known by, and what is known to be its answer. */
    bodyDigest: string | undefined
    knownAnswer: string | undefined
  }
}

export function addKeyRoutes(app: ZodApp, verifier: KeyVerifier): void {
  // In a scope of its own: its bodies are looked up before they are read.
  void app.register(async (scope: ZodApp) => addVerifyRoute(scope, verifier))
  addAuthorizeRoutes(app, verifier)
}

/** Node handles CONNECT itself, and Fastify adds HEAD to GET. */
const OTHER_METHODS = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD'].includes(method))

function addAuthorizeRoutes(app: ZodApp, verifier: KeyVerifier): void {
  for (const method of OTHER_METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const answered = (status: 200 | 204) => ({
    // Answers before the body is read; Node discards the body.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const { tenant_id, api_key_id } = await keyOfRequest(verifier, request, reply)
      return await reply.code(status).header(TENANT_ID_HEADER, tenant_id).header(API_KEY_ID_HEADER, api_key_id).send()
    },
    handler: () => null,
  })
  const others = { method: OTHER_METHODS, schema: { hide: true } }
  app.route({ ...authorizeKey, ...answered(204) })
  app.route({ ...authorizeKey, ...others, ...answered(204) })
  app.route({ ...authorizeRepeated, ...answered(200) })
  app.route({ ...authorizeRepeated, ...others, ...answered(200) })
}

/** A request that was made before, byte for byte, is answered from memory, unread, as long as that may be trusted. */
function addVerifyRoute(app: ZodApp, verifier: KeyVerifier): void {
  const readJson = jsonReader(app)
  app.decorateRequest('bodyDigest')
  app.decorateRequest('knownAnswer')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const digest = request.headers['content-encoding'] === undefined ? verifier.digestOf(body) : undefined
    request.bodyDigest = digest
    request.knownAnswer = digest === undefined ? undefined : verifier.knownAnswer(digest)
    if (request.knownAnswer === undefined) readJson(request, body, done)
    else done(null, undefined)
  })
  app.addHook('preValidation', ({ knownAnswer }, reply, done) => {
    if (knownAnswer === undefined) return done()
    void verifier.endOfTurn().then(() => reply.type('application/json; charset=utf-8').send(knownAnswer))
  })
  app.route({
    ...verifyKey,
    handler: async (request, reply) => {
      const verdict = await verifier.check(request.body.api_key, request.body.origin)
      const key = usableKey(verdict, request, reply)
      const { tenant_id, api_key_id, grace_ends_at } = key
      const answer = { tenant_id, api_key_id, grace_ends_at }
      // Until when a rotated key works stands in a header, too, which is not kept.
      if (request.bodyDigest !== undefined && grace_ends_at === null)
        verifier.keepAnswer(request.bodyDigest, key, JSON.stringify(answer))
      return answer
    },
  })
}
