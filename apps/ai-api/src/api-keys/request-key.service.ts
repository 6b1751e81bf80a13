import type { IncomingHttpHeaders } from 'node:http'
import { GRACE_ENDS_HEADER, KEY_REFUSED, ORIGIN_REFUSED } from '@switchboard/contract/api-keys/key-verification'
import { AppError } from '@switchboard/server/http/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRecord } from './key-check.queries.ts'
import type { KeyVerifier, Verdict } from './key-verifier.service.ts'

/** Returns the key in the headers of a request. Throws 401, or 403 when only the origin is refused. */
export async function keyOfRequest(
  verifier: KeyVerifier,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeyRecord> {
  return usableKey(await verifier.check(secretOf(request.headers), request.headers.origin), request, reply)
}

/** Returns the key of a valid verdict. Throws 401, or 403 when only the origin is refused. */
export function usableKey(verdict: Verdict, request: FastifyRequest, reply: FastifyReply): KeyRecord {
  if (verdict.outcome === 'origin_refused') throw new AppError(403, ORIGIN_REFUSED)
  if (verdict.outcome !== 'valid') throw refused(request)
  const { key } = verdict
  if (key.grace_ends_at !== null) reply.header(GRACE_ENDS_HEADER, key.grace_ends_at)
  return key
}

/** The same answer for every unusable key. Only the console shows the reason. */
function refused(request: FastifyRequest): AppError {
  return new AppError(401, KEY_REFUSED, {
    headers: { 'www-authenticate': 'Bearer' },
    extra: { request_id: request.id },
  })
}

/**
 * The secret in `X-Api-Key`, or otherwise in `Authorization: Bearer`: with both headers, the second one belongs to the
 * service behind the gateway. Never read from the URL.
 */
function secretOf({ authorization, 'x-api-key': header }: IncomingHttpHeaders): string | undefined {
  const own = typeof header === 'string' ? header.trim() : ''
  return own === '' ? /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] : own
}
