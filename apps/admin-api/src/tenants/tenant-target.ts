import type { Tenant } from '@switchboard/contract/tenants'
import type { AuditTarget } from '@switchboard/database/audit/audit.queries'

/** The audit target of a tenant. */
export function tenantTarget({ id, name }: Pick<Tenant, 'id' | 'name'>): AuditTarget {
  return { type: 'tenant', id, name, tenant_id: id }
}
