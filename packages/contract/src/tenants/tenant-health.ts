import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment } from '#src/wire/text.ts'

/** Whether the assistants of a tenant reach the platform, and how much has happened there. */
export const tenantHealth = z.object({
  /** Number of live keys that work while the tenant is active. */
  working_key_count: z.int(),
  /** The last accepted call with one of these keys, at most an hour behind; null without any. */
  last_used_at: z.nullable(moment),
  /** Since when the tenant is inactive. Null for an active tenant, or when unknown. */
  inactive_since: z.nullable(moment),
  /** Who suspended the tenant, as `actor_email` of the audit log. Null for an active tenant, or when unknown. */
  suspended_by: z.nullable(z.string()),
  /** Number of calls with live keys that were refused because the tenant is inactive, since that UTC day. */
  refused_since: z.int(),
  /** Number of tasks that run while the tenant is active. */
  scheduled_task_count: z.int(),
  /** Number of rows of activity, a rotation as one row. 10,001 also when there are more. */
  activity_count: z.int(),
  /** Number of stored reviews of its tasks. 10,001 also when there are more. */
  review_count: z.int(),
})
export type TenantHealth = z.infer<typeof tenantHealth>

/** The health of a tenant. 404 without such a tenant. */
export const getTenantHealth = endpoint('GET', '/api/v1/admin/tenants/:id/health', {
  config: { capability: 'view' },
  operationId: 'tenants.health',
  summary: 'Get the health of a tenant',
  tags: ['Tenants'],
  params: z.strictObject({
    /** Id of the tenant. */
    id: z.uuid(),
  }),
  response: { 200: tenantHealth },
})
