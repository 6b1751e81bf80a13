import { getRatingHistory } from '@switchboard/contract/reviews/rating-history'
import { listPhotosByReview, REVIEW_PHOTOS_MAX, reviewList } from '@switchboard/contract/reviews/review-list'
import { CACHE_LIFETIME_MS } from '@switchboard/contract/wire/retries'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'
import { listApi } from '#src/lists/list-api.ts'

/** Refetched with the tasks. Written out, because `tasks.api.ts` would load all calls of tasks. */
const ALL_TASKS = ['tasks']

const pages = listApi(reviewList, [...ALL_TASKS, 'reviews of tenant'])
type Search = Omit<Parameters<typeof pages.listOf>[0], 'tenant_id'>

/** The list of the tab Reviews of a tenant, by its search parameters, with and without the filter by tenant. */
export function reviewListOf(search: Search, tenantId: string) {
  const listed = pages.listOf({ ...search, tenant_id: tenantId })
  const { tenant_id: _tenant, ...list } = listed
  return { listed, list }
}
export type ReviewList = ReturnType<typeof reviewListOf>['list']

export const reviewsQuery = pages.query

/** The author photos of listed reviews, at most `REVIEW_PHOTOS_MAX`. Fetched after the reviews, which do not wait. */
function photosByReviewQuery(ids: string[]) {
  return queryOptions({
    queryKey: [...ALL_TASKS, 'photos by review', ids],
    queryFn: ({ signal }) => call(listPhotosByReview, { query: { ids }, signal }),
    staleTime: CACHE_LIFETIME_MS,
  })
}

/** The queries of the author photos of any number of reviews. */
export function photoQueries(ids: string[]) {
  const parts = Math.ceil(ids.length / REVIEW_PHOTOS_MAX)
  return Array.from({ length: parts }, (_, n) =>
    photosByReviewQuery(ids.slice(n * REVIEW_PHOTOS_MAX, (n + 1) * REVIEW_PHOTOS_MAX)),
  )
}

/** The rating history of a place of a tenant, by default of the place with the most ratings. */
export function ratingHistoryQuery(tenantId: string, taskId?: string) {
  return queryOptions({
    queryKey: [...ALL_TASKS, 'ratings of tenant', tenantId, taskId],
    queryFn: ({ signal }) => call(getRatingHistory, { params: { id: tenantId }, query: { task_id: taskId }, signal }),
  })
}

/** Prefetches the tab Reviews of a tenant. */
export function prefetchReviews(search: Search, tenantId: string): void {
  const { listed } = reviewListOf(search, tenantId)
  prefetch(reviewsQuery(listed))
  prefetch(ratingHistoryQuery(tenantId, listed.task_id))
}
