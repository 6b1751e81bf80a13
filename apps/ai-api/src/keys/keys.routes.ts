import type { IncomingHttpHeaders } from 'node:http'
import {
  API_KEY_ID_HEADER,
  authorizeKey,
  GRACE_ENDS_HEADER,
  KEY_REFUSED,
  ORIGIN_REFUSED,
  TENANT_ID_HEADER,
  verifyKey,
} from '@switchboard/contract/key-verification'
import { AppError } from '@switchboard/server/errors'
import type { ZodApp } from '@switchboard/server/zod-app'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyVerifier, Verdict } from './keys.service.ts'
import type { KnownKey } from './keys.queries.ts'

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
      const verdict = await verifier.check(secretOf(request.headers), request.headers.origin)
      const { tenant_id, api_key_id } = usableKey(verdict, request, reply)
      reply.code(204).header(TENANT_ID_HEADER, tenant_id).header(API_KEY_ID_HEADER, api_key_id)
      return null
    },
  })
}

/** The key of a good verdict. Throws what the caller may know of any other: 401, or 403 for the origin alone. */
function usableKey({ outcome, key }: Verdict, request: FastifyRequest, reply: FastifyReply): KnownKey {
  if (outcome === 'origin_refused') throw new AppError(403, ORIGIN_REFUSED)
  if (outcome !== 'valid') throw refused(request)
  if (key.grace_ends_at !== null) reply.header(GRACE_ENDS_HEADER, key.grace_ends_at)
  return key
}

/** One answer for every key that cannot be used: what is wrong with it is for the console to say. */
function refused(request: FastifyRequest): AppError {
  return new AppError(401, KEY_REFUSED, {
    headers: { 'www-authenticate': 'Bearer' },
    extra: { request_id: request.id },
  })
}

/**
 * The secret of a gateway's request: `X-Api-Key`, or `Authorization: Bearer`, which beside it may carry a token that is
 * meant for whoever is behind the gateway. Never from the address.
 */
function secretOf({ authorization, 'x-api-key': header }: IncomingHttpHeaders): string | undefined {
  if (typeof header === 'string') return header.trim()
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}
