import type { Tenant, TenantAttention, TenantType } from '@switchboard/contract/tenants'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import type { Tone } from '#src/ui/page/badge.tsx'
import { counted } from '#src/lib/format/count.ts'

/** Active is green, every other status red. */
export const STATUS_BADGES = {
  active: { tone: 'ok', text: 'Active' },
  inactive: { tone: 'bad', text: 'Inactive' },
} satisfies Record<TenantStatus, { tone: Tone; text: string }>

/** Labels of a tenant's status and type in forms and filters. */
export const STATUS_OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] satisfies { value: TenantStatus; label: string }[]

export const TYPE_OPTIONS = [
  { value: 'product', label: 'Product Company' },
  { value: 'service', label: 'Service Company' },
] satisfies { value: TenantType; label: string }[]

export const ATTENTION_OPTIONS = [
  { value: 'no_active_admin', label: 'Without an active admin' },
  { value: 'keys_expiring', label: 'With keys expiring soon' },
  { value: 'keys_refused', label: 'With refused keys' },
] satisfies { value: TenantAttention; label: string }[]

export const TYPE_BADGES = {
  product: { tone: 'accent', text: 'Product' },
  service: { tone: 'info', text: 'Service' },
} satisfies Record<TenantType, { tone: Tone; text: string }>

/** Records deleted with a tenant: "3 admins, 2 API keys, 1 task"; empty without records. */
export function belongings(tenant: Pick<Tenant, 'admin_count' | 'api_key_count' | 'task_count'>): string {
  return [
    { count: tenant.admin_count, one: 'admin' },
    { count: tenant.api_key_count, one: 'API key' },
    { count: tenant.task_count, one: 'task' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, one }) => counted(count, one))
    .join(', ')
}
