import { getTenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import { queryOptions } from '@tanstack/react-query'
import { activityListOf, activityPageQuery } from '#src/activity/activity.api.ts'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'
import { tenantQuery } from '#src/tenants/tenants.api.ts'

const RECENT_ACTIVITY_SHOWN = 5

/** The calls of all keys of a tenant. Refetched with the keys. */
export function tenantCallsQuery(id: string) {
  return queryOptions({
    queryKey: ['api-keys', 'calls of tenant', id],
    queryFn: ({ signal }) => call(getTenantCalls, { params: { id }, signal }),
  })
}

/** The newest activity of a tenant, with the number of all its rows. */
export function recentActivityQuery(id: string) {
  return activityPageQuery({ ...activityListOf({ tenant_id: id }), limit: RECENT_ACTIVITY_SHOWN })
}

/** Prefetches the head and the tabs of a tenant. */
export function prefetchTenant(id: string): void {
  prefetch(tenantQuery(id))
  prefetch(tenantCallsQuery(id))
  prefetch(recentActivityQuery(id))
}
