import { getAttention, getTenantAnalytics, getUserAnalytics } from '@switchboard/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'

export const userAnalyticsQuery = queryOptions({
  queryKey: ['userAnalytics'],
  queryFn: ({ signal }) => call(getUserAnalytics, { signal }),
})

export const tenantAnalyticsQuery = queryOptions({
  queryKey: ['tenantAnalytics'],
  queryFn: ({ signal }) => call(getTenantAnalytics, { signal }),
})

export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  queryFn: ({ signal }) => call(getAttention, { signal }),
})

export function prefetchDashboard(): void {
  prefetch(userAnalyticsQuery)
  prefetch(tenantAnalyticsQuery)
  prefetch(attentionQuery)
}
