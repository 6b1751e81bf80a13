import { review, type TaskReviews } from '@switchboard/contract/reviews'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'

const COLUMNS = z.keyof(z.omit(review, { original_text: true })).options

/**
 * For rows of `tasks`: the name and the address of the place, as chosen, otherwise as pulled. A typed place id has no
 * chosen place.
 */
export const NAME_OF_PLACE = sql<string | null>`coalesce(extra_data ->> 'place_name', pulled_place ->> 'name')`
export const ADDRESS_OF_PLACE = sql<string | null>`(extra_data ->> 'place_address')`

/** For rows of `reviews`. Google repeats the text in `original_text` if there was no translation. */
export const originalText = sql<string | null>`nullif(reviews.original_text, reviews.text)`.as('original_text')

/** Reviews of the last successful run; undefined for an unknown task. */
export async function lastPull(db: Kysely<Database>, taskId: string): Promise<TaskReviews | undefined> {
  const task = await db
    .selectFrom('tasks')
    .select(['last_run', 'are_reviews_kept', 'pulled_place'])
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (task === undefined) return undefined
  const { last_run, are_reviews_kept: is_kept, pulled_place: place } = task
  if (last_run === null || is_kept === null) return { pulled_at: null, is_kept: null, place: null, reviews: [] }
  const reviews = await db
    .selectFrom('reviews')
    .select(COLUMNS)
    .select(originalText)
    .where('task_id', '=', taskId)
    .where('last_seen_at', '=', last_run)
    .orderBy('rank')
    .execute()
  return { pulled_at: last_run, is_kept, place, reviews }
}
