import type { ReviewPhoto, TaskReviews } from '@switchboard/contract/reviews'
import type { RunResult, RunTaskBody } from '@switchboard/contract/runs'
import { PlacesError } from '@switchboard/places/places-error'
import { AppError, invalidField, notFound } from '@switchboard/server/http/errors'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { lastPull } from './runs.queries.ts'

/**
 * Passes "Run task now" on to ai-api, which audits the run. The console never gets the webhook secret. Throws 403 for
 * the id of another account, and the errors of `AiApiClient`.
 */
export async function runTask(
  { aiApi }: Pick<Deps, 'aiApi'>,
  actor: Actor,
  taskId: string,
  body: RunTaskBody,
): Promise<RunResult> {
  if (body.task_id !== taskId) throw invalidField('task_id', 'The task must be the one of the address.')
  if (body.super_admin_id !== actor.id) throw new AppError(403, 'You can run tasks in your own name only.')
  return await aiApi.executeTask(body, actor)
}

/** Throws 404. */
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
