import { review, type TaskReviews } from '@switchboard/contract/reviews'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'

const COLUMNS = z.keyof(z.omit(review, { original_text: true })).options

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
    // Google repeats the text in `original_text` if there was no translation.
    .select(sql<string | null>`nullif(original_text, text)`.as('original_text'))
    .where('task_id', '=', taskId)
    .where('last_seen_at', '=', last_run)
    .orderBy('rank')
    .execute()
  return { pulled_at: last_run, is_kept, place, reviews }
}
