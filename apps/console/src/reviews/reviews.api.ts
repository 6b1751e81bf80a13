import { listReviewPhotos, listTaskReviews, type Review } from '@switchboard/contract/reviews'
import type { Task } from '@switchboard/contract/tasks'
import { CACHE_LIFETIME_MS } from '@switchboard/contract/wire/retries'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { taskKey } from '#src/tasks/tasks.api.ts'

/** The reviews of the last successful run. A new run changes the cache key. */
export function taskReviewsQuery({ id, last_run }: Task) {
  return queryOptions({
    queryKey: [...taskKey(id), 'reviews', last_run],
    queryFn: ({ signal }) => call(listTaskReviews, { params: { task_id: id }, signal }),
    staleTime: CACHE_LIFETIME_MS,
    placeholderData: keepPreviousData,
  })
}

/** The author photos of `reviews`, by review. Fetched after the reviews, which do not wait for the photos. */
export function reviewPhotosQuery({ id, last_run }: Task, reviews: Review[]) {
  return queryOptions({
    queryKey: [...taskKey(id), 'photos', last_run],
    queryFn: ({ signal }) => call(listReviewPhotos, { params: { task_id: id }, signal }),
    staleTime: CACHE_LIFETIME_MS,
    select: (photos) => new Map(photos.map(({ name, data_uri }) => [name, data_uri])),
    enabled: reviews.some(({ author_photo_uri }) => author_photo_uri !== null),
    placeholderData: keepPreviousData,
  })
}
