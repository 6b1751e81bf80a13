import { getTenantAnalytics, getUserAnalytics } from '@switchboard/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { attentionQuery } from '#src/dashboard/attention/attention.api.ts'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'
import { firstStepsQuery } from '#src/dashboard/first-steps/first-steps.api.ts'
import { trendsQuery, type TrendsSearch } from '#src/dashboard/trends/trends.api.ts'

export const userAnalyticsQuery = queryOptions({
  queryKey: ['userAnalytics'],
  queryFn: ({ signal }) => call(getUserAnalytics, { signal }),
})

export const tenantAnalyticsQuery = queryOptions({
  queryKey: ['tenantAnalytics'],
  queryFn: ({ signal }) => call(getTenantAnalytics, { signal }),
})

/** `search`: the search parameters of the dashboard. */
export function prefetchDashboard(search: TrendsSearch): void {
  prefetch(userAnalyticsQuery)
  prefetch(tenantAnalyticsQuery)
  prefetch(attentionQuery())
  prefetch(trendsQuery(search))
  prefetch(firstStepsQuery)
}
