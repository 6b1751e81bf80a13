import * as z from 'zod/mini'
import { API_KEYS_URL } from '#src/api-keys.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { PAGE_LIMIT_MAX } from '#src/wire/lists.ts'
import { keyStateName } from './key-state.ts'

/** The keys of a tenant: their calls of the last `RECENT_CALL_DAYS` days, and the state that all of them have. */
export const tenantKeySummary = z.object({
  /** Id of the tenant. */
  tenant_id: z.uuid(),
  /** Accepted calls in these days. */
  accepted: z.int(),
  /** Refused calls in these days. */
  refused: z.int(),
  /** State of all keys. Null when they have different states. Replaced keys do not count. */
  state: z.nullable(keyStateName),
})
export type TenantKeySummary = z.infer<typeof tenantKeySummary>

/** Summarizes the keys of several tenants. A tenant without keys has no summary. A POST, because a page has many ids. */
export const summarizeTenantKeys = endpoint('POST', `${API_KEYS_URL}/summaries`, {
  config: { capability: 'view', reads: true },
  operationId: 'api_keys.summaries',
  summary: 'Summarize the API keys of tenants',
  tags: ['API keys'],
  body: z.strictObject({
    /** Ids of the tenants, at most 200. */
    tenant_ids: z.array(z.uuid()).check(z.maxLength(PAGE_LIMIT_MAX)),
  }),
  response: { 200: z.array(tenantKeySummary) },
})
