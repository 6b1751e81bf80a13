import { getAttention, getTenantAnalytics, getUserAnalytics } from '@switchboard/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'
import { ANALYTICS } from './refresh-analytics.api.ts'

export const userAnalyticsQuery = queryOptions({
  queryKey: ANALYTICS.users,
  queryFn: ({ signal }) => call(getUserAnalytics, { signal }),
})

export const tenantAnalyticsQuery = queryOptions({
  queryKey: ANALYTICS.tenants,
  queryFn: ({ signal }) => call(getTenantAnalytics, { signal }),
})

export const attentionQuery = queryOptions({
  queryKey: ANALYTICS.attention,
  queryFn: ({ signal }) => call(getAttention, { signal }),
})

/** Starts to fetch what the dashboard will show. */
export function prefetchDashboard(): void {
  prefetch(userAnalyticsQuery)
  prefetch(tenantAnalyticsQuery)
  prefetch(attentionQuery)
}
