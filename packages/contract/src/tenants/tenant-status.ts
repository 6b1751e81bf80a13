import * as z from 'zod/mini'

export const TENANT_STATUSES = ['active', 'inactive'] as const
export const tenantStatus = z.enum(TENANT_STATUSES)
export type TenantStatus = z.infer<typeof tenantStatus>
