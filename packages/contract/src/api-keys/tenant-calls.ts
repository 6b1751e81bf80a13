import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { keyCalls } from './key-calls.ts'

/** Days of calls shown for a tenant, including today. The days of older months may be folded. */
export const TENANT_CALL_DAYS = 90

/** The last `TENANT_CALL_DAYS` days in UTC, oldest first, days without calls included. */
export const tenantCalls = z.pick(keyCalls, { days: true })
export type TenantCalls = z.infer<typeof tenantCalls>

/** The calls of all live keys of a tenant, at most ten seconds late. 404 without such a tenant. */
export const getTenantCalls = endpoint('GET', '/api/v1/admin/tenants/:id/calls', {
  config: { capability: 'view' },
  operationId: 'tenants.calls',
  summary: 'Count the calls of a tenant',
  tags: ['Tenants'],
  params: z.strictObject({
    /** Id of the tenant. */
    id: z.uuid(),
  }),
  response: { 200: tenantCalls },
})
