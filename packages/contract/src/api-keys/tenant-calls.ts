import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { keyCalls } from './key-calls.ts'

/** The calls of all live keys of a tenant, at most ten seconds late. 404 without such a tenant. */
export const getTenantCalls = endpoint('GET', '/api/v1/admin/tenants/:id/calls', {
  config: { capability: 'view' },
  operationId: 'tenants.calls',
  summary: 'Count the calls of a tenant',
  tags: ['Tenants'],
  params: z.strictObject({ id: z.uuid() }),
  response: { 200: keyCalls },
})
