import type { Tenant } from '@switchboard/contract/tenants'
import type { Arrival } from '#src/ui/notice/arrival-notice.tsx'

/** After a new record of a tenant: what was created, and the steps of the tenant that usually follow. */
export function arrivalAfter(
  created: 'tenant' | 'user' | 'API key',
  done: string,
  tenant: Pick<Tenant, 'id'>,
): { arrival: Arrival } {
  const steps = [
    { label: 'Add User', to: '/users/create', search: { tenant_id: tenant.id } },
    { label: 'Generate Key', to: '/keys', search: { generate: tenant.id } },
    { label: 'Schedule Reviews', to: '/tasks/create', search: { tenant_id: tenant.id } },
  ] satisfies Arrival['next']
  const next = { tenant: steps.slice(0, 2), user: steps.slice(1, 2), 'API key': steps.slice(2) }
  return { arrival: { done, next: next[created] } }
}
