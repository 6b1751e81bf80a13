import type { IncomingHttpHeaders } from 'node:http'
import { GRACE_ENDS_HEADER, KEY_REFUSED, ORIGIN_REFUSED } from '@switchboard/contract/api-keys/key-verification'
import { AppError } from '@switchboard/server/http/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KnownKey } from './api-keys.queries.ts'
import type { KeyVerifier, Verdict } from './api-keys.service.ts'

/** The key that a request carries in its headers. Throws 401, or 403 for the origin alone. */
export async function keyOfRequest(
  verifier: KeyVerifier,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KnownKey> {
  return usableKey(await verifier.check(secretOf(request.headers), request.headers.origin), request, reply)
}

/** The key of a good verdict. Throws what the caller may know of any other: 401, or 403 for the origin alone. */
export function usableKey({ outcome, key }: Verdict, request: FastifyRequest, reply: FastifyReply): KnownKey {
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
  const own = typeof header === 'string' ? header.trim() : ''
  return own === '' ? /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] : own
}
