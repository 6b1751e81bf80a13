import { getTenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { queryOptions } from '@tanstack/react-query'
import { attentionQuery } from '#src/dashboard/attention/attention.api.ts'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'
import { tenantQuery } from '#src/tenants/tenants.api.ts'

/** The health of a tenant. Refetched with the keys. */
export function tenantHealthQuery(id: string) {
  return queryOptions({
    queryKey: ['api-keys', 'health of tenant', id],
    queryFn: ({ signal }) => call(getTenantHealth, { params: { id }, signal }),
  })
}

/** Prefetches the head, the problems and the tabs of a tenant. */
export function prefetchTenant(id: string): void {
  prefetch(tenantQuery(id))
  prefetch(tenantHealthQuery(id))
  prefetch(attentionQuery(id))
}
