import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment } from '#src/wire/text.ts'
import { keyDiagnosis } from './key-diagnosis.ts'

/** The calls of all keys of a tenant, deleted keys included. */
export const tenantCalls = z.extend(z.pick(keyDiagnosis, { hours: true, days: true }), {
  /** Keys that work while the tenant is active. */
  working_key_count: z.int(),
  /** Keys of these that were accepted in the last hour. */
  used_key_count: z.int(),
  /** Since when the tenant is inactive. Null for an active tenant, or when unknown. */
  inactive_since: z.nullable(moment),
  /** Calls refused since that day of UTC because the tenant is inactive. */
  refused_since: z.int(),
})
export type TenantCalls = z.infer<typeof tenantCalls>

/** The calls of a tenant, at most two seconds late, by hour 40 seconds. 404 without such a tenant. */
export const getTenantCalls = endpoint('GET', '/api/v1/admin/tenants/:id/calls', {
  operationId: 'tenants.calls',
  summary: 'Count the calls of a tenant',
  tags: ['Tenants'],
  params: z.strictObject({ id: z.uuid() }),
  response: { 200: tenantCalls },
})
