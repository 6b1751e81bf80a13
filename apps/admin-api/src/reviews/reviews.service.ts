import type { ReviewPhoto, TaskReviews } from '@switchboard/contract/reviews'
import type { RatingHistory } from '@switchboard/contract/reviews/rating-history'
import { PlacesError } from '@switchboard/places/places-error'
import { notFound } from '@switchboard/server/http/errors'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { isTenant, placesOf, ratingsOf } from './rating-history.queries.ts'
import { photosOf } from './review-list.queries.ts'
import { lastPull } from './reviews.queries.ts'

/** The place and the reviews of the last successful run of a task. Throws 404. */
export async function reviewsOfTask({ db }: Pick<Deps, 'db'>, taskId: string): Promise<TaskReviews> {
  const pull = await lastPull(db, taskId)
  if (pull === undefined) throw notFound('Task')
  return pull
}

/**
 * The photos of the authors of the last pulled reviews. Photos that fail to load are absent and logged.
 * Throws 404.
 */
export async function photosOfReviews(deps: PhotoDeps, actor: Actor, taskId: string): Promise<ReviewPhoto[]> {
  const { reviews } = await reviewsOfTask(deps, taskId)
  return await photosFor(deps, actor, reviews, ({ name }, data_uri) => ({ name, data_uri }))
}

/** The photos of the authors of reviews by id. Photos that fail to load are absent and logged. */
export async function photosByReview(deps: PhotoDeps, actor: Actor, ids: string[]) {
  return await photosFor(deps, actor, await photosOf(deps.db, ids), ({ id }, data_uri) => ({ id, data_uri }))
}

type PhotoDeps = Pick<Deps, 'db' | 'log' | 'photos'>

async function photosFor<Row extends { author_photo_uri: string | null }, Photo>(
  deps: PhotoDeps,
  actor: Actor,
  reviews: Row[],
  photoOf: (review: Row, dataUri: string) => Photo,
): Promise<Photo[]> {
  const photos = await Promise.all(
    reviews.map(async (review) => {
      if (review.author_photo_uri === null) return []
      try {
        return [photoOf(review, await deps.photos.photo(review.author_photo_uri))]
      } catch (error) {
        if (!(error instanceof PlacesError)) throw error
        deps.log.warn({ req_id: actor.request_id, reason: error.message }, 'a photo could not be fetched')
        return []
      }
    }),
  )
  return photos.flat()
}

/** The places of a tenant, and the ratings of one of them over time. Throws 404. */
export async function ratingHistoryOf(
  { db }: Pick<Deps, 'db'>,
  tenantId: string,
  taskId: string | undefined,
): Promise<RatingHistory> {
  const places = await placesOf(db, tenantId)
  if (places.length === 0 && !(await isTenant(db, tenantId))) throw notFound('Tenant')
  const shown = places.find(({ task_id }) => taskId === undefined || task_id === taskId)
  return { places, shown: shown === undefined ? null : { ...shown, ...(await ratingsOf(db, shown.task_id)) } }
}
