import { MAKER_WITHOUT_FACTOR } from '@switchboard/contract/second-factors'
import { scopeRefused, scopesOf, TOKEN_INVALID } from '@switchboard/contract/tokens/scopes'
import { isWellFormedToken } from '@switchboard/contract/tokens/token-format'
import { AppError, badRequest, notFound, unauthorized } from '@switchboard/server/http/errors'
import { accessTokenHash } from '@switchboard/sign-in/access-token'
import { isExpired, type LiveToken, liveToken, mayUseToken } from '@switchboard/sign-in/service-tokens'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Deps } from '#src/deps.ts'

/** Maximum number of cached tokens, including texts that are no token. */
const TOKENS_MAX = 1_000
/**
 * How long a token is cached, in milliseconds. A revocation must hold within a second. Rows of several tables decide about
 * a token, so reading it again is simpler than listening to all of them.
 */
const CACHED_MS = 500

/** The service token of a request. Its scopes open the endpoint of the request. */
export type ServiceToken = Pick<LiveToken, 'id' | 'tenant_ids'>
export type TokenReader = ReturnType<typeof createTokenReader>

/** Reads and checks the service tokens of requests, in `Authorization: Bearer`. */
export function createTokenReader(deps: Pick<Deps, 'db' | 'now'>) {
  const cache = new LRUCache<string, Promise<LiveToken | null>>({
    max: TOKENS_MAX,
    ttl: CACHED_MS,
    memoMethod: async (secret) => {
      try {
        return await liveToken(deps, accessTokenHash(secret))
      } catch (error) {
        cache.delete(secret)
        throw error
      }
    },
  })

  return {
    /**
     * The service token of a request, or `null` for a request without one. Throws 401 for a token that is not accepted,
     * and 403 for a token without a scope of the endpoint, or whose maker must add a second factor first.
     */
    async ofRequest(request: FastifyRequest): Promise<ServiceToken | null> {
      const [, secret] = /^Bearer +(sb_svc_\S*)$/i.exec(request.headers.authorization ?? '') ?? []
      if (secret === undefined) return null
      const token = isWellFormedToken(secret) ? await cache.memo(secret) : null
      const from = { address: request.ip, request_id: request.id }
      if (token === null || isExpired(token, deps.now()) || !(await mayUseToken(deps, token, from)))
        throw unauthorized(TOKEN_INVALID)
      if (token.must_enroll) throw new AppError(403, MAKER_WITHOUT_FACTOR, { code: 'second_factor_required' })
      const needed = scopesOf({ operationId: request.routeOptions.schema?.operationId ?? '' })
      if (!needed.some((one) => token.scopes.includes(one))) throw new AppError(403, scopeRefused(needed))
      return token
    },
  }
}

/** The tenant that a service token asks about. Throws 400 without one, and 404 for a tenant of which it knows nothing. */
export function tenantForToken(token: ServiceToken, requested: string | undefined): string {
  if (requested === undefined) throw badRequest('A service token needs `tenant_id`.')
  const id = requested.toLowerCase()
  if (!isTenantOfToken(token, id)) throw notFound('Tenant')
  return id
}

/** Whether a token may ask about a tenant. A token without tenants may ask about all of them. */
export function isTenantOfToken({ tenant_ids }: ServiceToken, id: string): boolean {
  return tenant_ids.length === 0 || tenant_ids.includes(id)
}
