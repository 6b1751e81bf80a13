import { getTenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import { queryOptions } from '@tanstack/react-query'
import { activityListOf, activityPageQuery } from '#src/activity/activity.api.ts'
import { call } from '#src/lib/call.ts'
import { ratingHistoryQuery } from '#src/reviews/tenant-reviews.api.ts'
import { prefetch } from '#src/lib/query-client.ts'
import { PORTAL_SIGN_INS_SHOWN, portalSignInsQuery } from '#src/users/portal-sign-ins/portal-sign-ins.api.ts'
import { tenantNotesQuery } from '#src/tenants/notes/tenant-notes.api.ts'

const RECENT_ACTIVITY_SHOWN = 8

/** The calls of all live keys of a tenant. Refetched with the keys. */
export function tenantCallsQuery(id: string) {
  return queryOptions({
    queryKey: ['api-keys', 'calls of tenant', id],
    queryFn: ({ signal }) => call(getTenantCalls, { params: { id }, signal }),
  })
}

/** The newest activity of a tenant. */
export function recentActivityQuery(id: string) {
  return activityPageQuery({ ...activityListOf({ tenant_id: id }), limit: RECENT_ACTIVITY_SHOWN })
}

/** Prefetches the overview of a tenant. */
export function prefetchOverview(id: string): void {
  prefetch(tenantCallsQuery(id))
  prefetch(ratingHistoryQuery(id))
  prefetch(recentActivityQuery(id))
  prefetch(portalSignInsQuery({ tenant_id: id, limit: PORTAL_SIGN_INS_SHOWN, cursor: undefined }))
  prefetch(tenantNotesQuery(id))
}
