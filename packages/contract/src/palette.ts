import * as z from 'zod/mini'
import { apiKey } from './api-keys.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { SEARCH_MAX } from '#src/wire/lists.ts'
import { user } from './users.ts'
import { tenant } from './tenants.ts'
import { text } from '#src/wire/text.ts'

/** Maximum number of records per kind in an answer. */
export const RESULTS_PER_KIND_MAX = 5

/** A tenant in the results. */
export const tenantResult = z.pick(tenant, { id: true, name: true, subdomain: true, status: true })
export type TenantResult = z.infer<typeof tenantResult>

/** A user in the results. */
export const userResult = z.pick(user, { id: true, email: true, role: true, tenant_name: true, is_active: true })
export type UserResult = z.infer<typeof userResult>

/** A key in the results, with its tenant. */
export const apiKeyResult = z.extend(
  z.pick(apiKey, {
    id: true,
    tenant_id: true,
    name: true,
    key_prefix: true,
    key_start: true,
    key_last4: true,
    is_active: true,
    expires_at: true,
    revoked_at: true,
  }),
  { tenant_name: z.string(), subdomain: z.string() },
)
export type ApiKeyResult = z.infer<typeof apiKeyResult>

/** A search term: words, an address, an id, a mask or a secret. */
export const searchBody = z.strictObject({ q: text(SEARCH_MAX) })
/** The best matches of each kind. */
export const searchResults = z.object({
  tenants: z.array(tenantResult).check(z.maxLength(RESULTS_PER_KIND_MAX)),
  users: z.array(userResult).check(z.maxLength(RESULTS_PER_KIND_MAX)),
  api_keys: z.array(apiKeyResult).check(z.maxLength(RESULTS_PER_KIND_MAX)),
})
export type SearchResults = z.infer<typeof searchResults>

/**
 * Finds tenants by name and subdomain, users by email address, keys by name, mask and secret, and all of them by id. Best matches first. A POST, because a pasted secret must not appear in a URL.
 */
export const search = endpoint('POST', '/api/v1/admin/search', {
  config: { reads: true },
  operationId: 'search.all',
  summary: 'Find tenants, users and API keys',
  tags: ['Search'],
  body: searchBody,
  response: { 200: searchResults },
})
