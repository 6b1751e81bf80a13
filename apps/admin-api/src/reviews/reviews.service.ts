import type { ReviewPhoto, TaskReviews } from '@switchboard/contract/reviews'
import { PlacesError } from '@switchboard/places/places-error'
import { notFound } from '@switchboard/server/http/errors'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
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
export async function photosOfReviews(
  deps: Pick<Deps, 'db' | 'log' | 'photos'>,
  actor: Actor,
  taskId: string,
): Promise<ReviewPhoto[]> {
  const { reviews } = await reviewsOfTask(deps, taskId)
  const photos = await Promise.all(
    reviews.map(async ({ name, author_photo_uri: address }) => {
      if (address === null) return []
      try {
        return [{ name, data_uri: await deps.photos.photo(address) }]
      } catch (error) {
        if (!(error instanceof PlacesError)) throw error
        deps.log.warn({ req_id: actor.request_id, reason: error.message }, 'a photo could not be fetched')
        return []
      }
    }),
  )
  return photos.flat()
}
