import * as z from 'zod/mini'

/** The status of a tenant. An inactive tenant's keys are refused, and its tasks are skipped. */
export const tenantStatus = z.enum(['active', 'inactive'])
export type TenantStatus = z.infer<typeof tenantStatus>
