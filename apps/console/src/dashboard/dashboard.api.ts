import { getTenantAnalytics, getTrends, getUserAnalytics, RECENT_DAYS } from '@switchboard/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { attentionQuery } from '#src/dashboard/attention/attention.api.ts'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'
import { firstStepsQuery } from '#src/dashboard/first-steps/first-steps.api.ts'

/** The offered numbers of days in the chart of calls. */
export const CALL_DAYS: readonly number[] = [7, RECENT_DAYS, 90]

export const userAnalyticsQuery = queryOptions({
  queryKey: ['userAnalytics'],
  queryFn: ({ signal }) => call(getUserAnalytics, { signal }),
})

export const tenantAnalyticsQuery = queryOptions({
  queryKey: ['tenantAnalytics'],
  queryFn: ({ signal }) => call(getTenantAnalytics, { signal }),
})

/** New users, new tenants and calls of the last days. */
export function trendsQuery(days: number) {
  return queryOptions({
    queryKey: ['trends', days],
    queryFn: ({ signal }) => call(getTrends, { query: { days }, signal }),
  })
}

/** The days of the chart of calls in the search parameter `days`; 30 without a valid one. */
export function callDays(days: string | undefined): number {
  return CALL_DAYS.find((count) => String(count) === days) ?? RECENT_DAYS
}

/** `days`: the search parameter of the dashboard. */
export function prefetchDashboard({ days }: { days?: string | undefined }): void {
  prefetch(userAnalyticsQuery)
  prefetch(tenantAnalyticsQuery)
  prefetch(attentionQuery())
  prefetch(trendsQuery(RECENT_DAYS))
  prefetch(trendsQuery(callDays(days)))
  prefetch(firstStepsQuery)
}
