import * as z from 'zod/mini'
import { apiKey } from './api-keys.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { errorResponses } from '#src/wire/errors.ts'
import { SEARCH_MAX } from '#src/wire/lists.ts'
import { admin } from './users.ts'
import { tenant } from './tenants.ts'
import { text } from '#src/wire/text.ts'

/** Maximum number of records per kind in an answer. */
export const FOUND_MAX = 5

export const foundTenant = z.pick(tenant, { id: true, name: true, subdomain: true, status: true })
export type FoundTenant = z.infer<typeof foundTenant>

export const foundUser = z.pick(admin, { id: true, email: true, role: true, tenant_name: true, is_active: true })
export type FoundUser = z.infer<typeof foundUser>

export const foundApiKey = z.extend(
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
export type FoundApiKey = z.infer<typeof foundApiKey>

export const searchBody = z.strictObject({ q: text(SEARCH_MAX) })
export const searchResults = z.object({
  tenants: z.array(foundTenant).check(z.maxLength(FOUND_MAX)),
  admins: z.array(foundUser).check(z.maxLength(FOUND_MAX)),
  api_keys: z.array(foundApiKey).check(z.maxLength(FOUND_MAX)),
})
export type SearchResults = z.infer<typeof searchResults>

/**
 * Finds tenants by name and subdomain, users by address, keys by name, by mask and by the full
 * secret; all records by id. Best matches first. A POST, because a pasted secret must not appear in a URL.
 */
export const search = {
  method: 'POST',
  url: '/api/v1/admin/search',
  config: { reads: true },
  schema: {
    operationId: 'search.all',
    summary: 'Find tenants, users and API keys',
    tags: ['Search'],
    body: searchBody,
    response: { 200: searchResults, ...errorResponses },
  },
} as const satisfies Endpoint
