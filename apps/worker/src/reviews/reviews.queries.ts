import type { Database } from '@switchboard/database/tables'
import type { PlaceDetails, PlaceReview } from '@switchboard/places/google-answers'
import { sql, type Transaction } from 'kysely'

/** Columns that change when a review is edited. The link and the author's photo change without an edit. */
const CONTENT = ['rating', 'text', 'language', 'original_text', 'author_name', 'publish_time'] as const

/** Inserts or updates the reviews of a pull by Google's name, and returns the numbers of new and changed reviews. */
export async function storeReviews(
  trx: Transaction<Database>,
  taskId: string,
  reviews: PlaceReview[],
): Promise<{ reviews_new: number; reviews_changed: number }> {
  if (reviews.length === 0) return { reviews_new: 0, reviews_changed: 0 }
  const at = sql<Date>`now()`
  const rows = await trx
    .insertInto('reviews')
    .values(
      reviews.map((review, index) => ({
        ...review,
        publish_time: review.publish_time === null ? null : new Date(review.publish_time),
        task_id: taskId,
        rank: index + 1,
        first_seen_at: at,
        last_seen_at: at,
        last_changed_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['task_id', 'name']).doUpdateSet((row) => ({
        rank: row.ref('excluded.rank'),
        author_name: row.ref('excluded.author_name'),
        author_uri: row.ref('excluded.author_uri'),
        author_photo_uri: row.ref('excluded.author_photo_uri'),
        rating: row.ref('excluded.rating'),
        text: row.ref('excluded.text'),
        language: row.ref('excluded.language'),
        original_text: row.ref('excluded.original_text'),
        publish_time: row.ref('excluded.publish_time'),
        google_maps_uri: row.ref('excluded.google_maps_uri'),
        last_seen_at: row.ref('excluded.last_seen_at'),
        last_changed_at: row
          .case()
          .when(isChanged())
          .then(row.ref('excluded.last_changed_at'))
          .else(row.ref('reviews.last_changed_at'))
          .end(),
      })),
    )
    .returning((row) => [
      row('first_seen_at', '=', row.ref('last_seen_at')).$castTo<boolean>().as('is_new'),
      row('last_changed_at', '=', row.ref('last_seen_at')).$castTo<boolean>().as('is_changed'),
    ])
    .execute()
  return {
    reviews_new: rows.filter(({ is_new }) => is_new).length,
    reviews_changed: rows.filter(({ is_new, is_changed }) => !is_new && is_changed).length,
  }
}

function isChanged() {
  const columns = (table: string) => sql.join(CONTENT.map((column) => sql.ref(`${table}.${column}`)))
  return sql<boolean>`(${columns('reviews')}) is distinct from (${columns('excluded')})`
}

/** Stores the rating of a place for the UTC day. The last run of the day counts. A place without ratings stores none. */
export async function storeRating(
  trx: Transaction<Database>,
  taskId: string,
  { rating, user_rating_count }: Pick<PlaceDetails, 'rating' | 'user_rating_count'>,
): Promise<void> {
  if (rating === null || user_rating_count === null) return
  const day = sql<string>`(now() at time zone 'UTC')::date`
  await trx
    .insertInto('place_ratings')
    .values({ task_id: taskId, day, rating, user_rating_count })
    .onConflict((conflict) => conflict.columns(['task_id', 'day']).doUpdateSet({ rating, user_rating_count }))
    .execute()
}

/** Deletes all reviews and ratings of a task. */
export async function deleteReviews(trx: Transaction<Database>, taskId: string): Promise<void> {
  await trx.deleteFrom('reviews').where('task_id', '=', taskId).execute()
  await trx.deleteFrom('place_ratings').where('task_id', '=', taskId).execute()
}
