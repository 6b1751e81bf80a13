import { REVIEW_RETENTION_DAYS } from '@switchboard/contract/reviews'
import { type DayRating, RATED_PLACES_MAX, type RatingHistory } from '@switchboard/contract/reviews/rating-history'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { ADDRESS_OF_PLACE, NAME_OF_PLACE } from './reviews.queries.ts'

type Shown = NonNullable<RatingHistory['shown']>
type Place = Omit<Shown, 'from' | 'to' | 'days'>

/** The places of a tenant at their last pull: those with the most ratings first. */
export async function placesOf(db: Kysely<Database>, tenantId: string): Promise<Place[]> {
  return await db
    .selectFrom('tasks')
    .select([
      'id as task_id',
      sql<string>`extra_data ->> 'place_id'`.as('place_id'),
      NAME_OF_PLACE.as('place_name'),
      ADDRESS_OF_PLACE.as('place_address'),
      sql<number | null>`(pulled_place ->> 'rating')::float8`.as('rating'),
      sql<number | null>`(pulled_place ->> 'user_rating_count')::int`.as('user_rating_count'),
      sql<string | null>`pulled_place ->> 'google_maps_uri'`.as('google_maps_uri'),
      sql<Place['attributions']>`coalesce(pulled_place -> 'attributions', '[]')`.as('attributions'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('pulled_place', 'is not', null)
    .orderBy(sql`(pulled_place ->> 'user_rating_count')::int`, (order) => order.desc().nullsLast())
    .orderBy('id')
    .limit(RATED_PLACES_MAX)
    .execute()
}

/** The ratings of a place by UTC day, and the first and last day of the history. */
export async function ratingsOf(db: Kysely<Database>, taskId: string): Promise<Pick<Shown, 'from' | 'to' | 'days'>> {
  const { rows } = await sql<Pick<Shown, 'from' | 'to'> & { days: DayRating[] }>`
    select to_char(first_day, 'YYYY-MM-DD') as from, to_char(today, 'YYYY-MM-DD') as to, (
      select coalesce(json_agg(json_build_object(
        'day', to_char(day, 'YYYY-MM-DD'), 'rating', rating, 'user_rating_count', user_rating_count
      ) order by day), '[]')
      from place_ratings where task_id = ${taskId} and day >= first_day
    ) as days
    from (select (now() at time zone 'UTC')::date as today) as clock
    cross join lateral (select today - ${sql.lit(REVIEW_RETENTION_DAYS - 1)} as first_day) as history`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}

export async function isTenant(db: Kysely<Database>, id: string): Promise<boolean> {
  return (await db.selectFrom('tenants').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}
