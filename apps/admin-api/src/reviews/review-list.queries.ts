import type { PulledPlace } from '@switchboard/contract/reviews'
import { listedReview, reviewList, type ReviewListQuery } from '@switchboard/contract/reviews/review-list'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { isNewLowRating } from '@switchboard/database/attention/attention.queries'
import { contains, searchTerm, whenSet } from '#src/lists/filters.queries.ts'
import type { Order } from '#src/lists/rows.queries.ts'
import { NAME_OF_PLACE, ADDRESS_OF_PLACE, originalText } from './reviews.queries.ts'

type ReviewFilters = FiltersOf<ReviewListQuery>

const COLUMNS = z.keyof(
  z.omit(listedReview, {
    original_text: true,
    place_id: true,
    place_name: true,
    place_address: true,
    is_current: true,
    attributions: true,
  }),
).options

/** The columns of the orders. */
const ordered = sql<object>`(
  select published_at, coalesce(rating, 0) as stars, -extract(epoch from published_at)::float8 as age
  from (select coalesce(publish_time, first_seen_at) as published_at) as published
)`.as<'ordered'>('ordered')

/** Among reviews with the same rating, the newest come first in both directions. */
const ORDERS = {
  publish_time: { columns: ['published_at', 'id'], isDescending: false },
  '-publish_time': { columns: ['published_at', 'id'], isDescending: true },
  rating: { columns: ['stars', 'age', 'id'], isDescending: false },
  '-rating': { columns: ['stars', 'published_at', 'id'], isDescending: true },
} satisfies Record<NonNullable<ReviewListQuery['sort']>, Order>

/** The list of reviews. No index has the order of the reviews of some tasks, and a tenant has few. */
export const listedReviews = {
  matching: matchingReviews,
  order: ({ sort = reviewList.defaultSort }: ReviewFilters) => ORDERS[sort],
  isCollected: () => true,
}

function matchingReviews(db: Kysely<Database>, { tenant_id, q, rating, task_id, attention }: ReviewFilters) {
  return db
    .selectFrom('reviews')
    .select(COLUMNS)
    .select([
      originalText,
      ofTask<string>(sql`extra_data ->> 'place_id'`).as('place_id'),
      ofTask<string | null>(NAME_OF_PLACE).as('place_name'),
      ofTask<string | null>(ADDRESS_OF_PLACE).as('place_address'),
      ofTask<boolean>(sql`last_run is not distinct from last_seen_at`).as('is_current'),
      ofTask<PulledPlace['attributions']>(sql`coalesce(pulled_place -> 'attributions', '[]')`).as('attributions'),
    ])
    .innerJoinLateral(ordered, (join) => join.onTrue())
    .where('task_id', 'in', (of) => of.selectFrom('tasks').select('tasks.id').where('tasks.tenant_id', '=', tenant_id))
    .$call(whenSet(searchTerm(q), (reviews, term) => reviews.where(contains(term))))
    .$call(whenSet(rating, (reviews, value) => reviews.where('rating', '=', value)))
    .$call(whenSet(task_id, (reviews, value) => reviews.where('task_id', '=', value)))
    .$if(attention !== undefined, (reviews) => reviews.where(isNewLowRating))
}

/** The addresses of the author photos of reviews. */
export async function photosOf(db: Kysely<Database>, ids: string[]) {
  return await db.selectFrom('reviews').select(['id', 'author_photo_uri']).where('id', 'in', ids).execute()
}

/** A value of the task of a review. */
function ofTask<Value>(value: RawBuilder<unknown>) {
  return sql<Value>`(select ${value} from tasks where tasks.id = reviews.task_id)`
}
