import type { IncomingHttpHeaders } from 'node:http'
import {
  GRACE_ENDS_HEADER,
  KEY_REFUSED,
  type KeyDetails,
  ORIGIN_REFUSED,
  type verifyKey,
} from '@switchboard/contract/api-keys/key-verification'
import { AppError } from '@switchboard/server/http/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod/mini'
import { isTenantOfToken, tenantForToken, type TokenReader } from '#src/tokens/tokens.service.ts'
import type { KeyRecord } from './key-check.queries.ts'
import type { KeyVerifier, Verdict } from './key-verifier.service.ts'

/** Reads the credentials of requests. */
export type Credentials = { verifier: KeyVerifier; tokens: TokenReader }

/** Returns the key in the headers of a request. Throws 401, or 403 when only the origin is refused. */
export async function keyOfRequest(
  verifier: KeyVerifier,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeyRecord> {
  return usableKey(await verifier.check(secretOf(request.headers), request.headers.origin), request, reply)
}

/**
 * Checks a key for the caller of a request. `told` is what only a service token learns. Keys of tenants to which the token
 * is not limited are unknown.
 */
export async function checkKey(
  { verifier, tokens }: Credentials,
  request: FastifyRequest,
  { api_key, origin }: z.infer<typeof verifyKey.schema.body>,
): Promise<{ verdict: Verdict; told?: Partial<KeyDetails> }> {
  const token = await tokens.ofRequest(request)
  if (token === null) return { verdict: await verifier.check(api_key, origin) }
  const verdict = await verifier.check(api_key, origin, (key) => isTenantOfToken(token, key.tenant_id))
  return { verdict, told: verdict.key === null ? {} : ((await verifier.detailsOf(verdict.key)) ?? {}) }
}

/**
 * Returns the tenant of a request, and the key or the service token that names it: the tenant of its key, or the one that
 * it names beside a service token. Throws 401, and 403 for a key of another tenant than the named one.
 */
export async function tenantOfRequest(
  credentials: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
  named: string | undefined,
): Promise<RequestTenant> {
  const token = await credentials.tokens.ofRequest(request)
  if (token !== null) return { tenant_id: tenantForToken(token, named), by: { service_token_id: token.id } }
  const { tenant_id, api_key_id } = await keyOfRequest(credentials.verifier, request, reply)
  if (named !== undefined && named.toLowerCase() !== tenant_id)
    throw new AppError(403, 'This API key belongs to another tenant.')
  return { tenant_id, by: { api_key_id } }
}

/** The tenant of a request, and what names it. */
export type RequestTenant = { tenant_id: string; by: { api_key_id: string } | { service_token_id: string } }

/**
 * Returns the key of a valid verdict. Throws 401, or 403 when only the origin is refused. `extra` is added to the body of a
 * refusal.
 */
export function usableKey(verdict: Verdict, request: FastifyRequest, reply: FastifyReply, extra = {}): KeyRecord {
  if (verdict.outcome === 'origin_refused') throw new AppError(403, ORIGIN_REFUSED, { extra })
  if (verdict.outcome !== 'valid') throw refused(request, extra)
  const { key } = verdict
  if (key.grace_ends_at !== null) reply.header(GRACE_ENDS_HEADER, key.grace_ends_at)
  return key
}

/** The same answer for every unusable key. Only the console and service tokens learn the reason. */
function refused(request: FastifyRequest, extra: object): AppError {
  return new AppError(401, KEY_REFUSED, {
    headers: { 'www-authenticate': 'Bearer' },
    extra: { request_id: request.id, ...extra },
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
