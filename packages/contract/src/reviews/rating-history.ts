import * as z from 'zod/mini'
import { pulledPlace } from '#src/reviews.ts'
import { endpoint } from '#src/wire/endpoint.ts'

/** Maximum number of places in a rating history. */
export const RATED_PLACES_MAX = 200

const ratedPlace = z.object({
  task_id: z.uuid(),
  place_id: z.string(),
  /** Name and address chosen for the task, or else from the last pull. Null if unknown. */
  place_name: z.nullable(z.string()),
  place_address: z.nullable(z.string()),
  /** At the last successful run. */
  rating: z.nullable(z.number()),
  user_rating_count: z.nullable(z.int()),
})
export type RatedPlace = z.infer<typeof ratedPlace>

/** The rating of a place at the last successful run of a UTC day. */
const dayRating = z.object({ day: z.iso.date(), rating: z.number(), user_rating_count: z.int() })
export type DayRating = z.infer<typeof dayRating>

/** The rated places of a tenant, and the ratings of one of them over the days for which Google's terms allow storage. */
export const ratingHistory = z.object({
  /** Places of tasks whose last successful run stored them: those with the most ratings first, 200 at most. */
  places: z.array(ratedPlace),
  /** The requested place, by default the first. Null without such a place. */
  shown: z.nullable(
    z.object({
      ...ratedPlace.shape,
      google_maps_uri: pulledPlace.shape.google_maps_uri,
      attributions: pulledPlace.shape.attributions,
      /** First and last day of the history, in UTC. */
      from: z.iso.date(),
      to: z.iso.date(),
      /** Oldest first. A day without a successful run is absent. */
      days: z.array(dayRating),
    }),
  ),
})
export type RatingHistory = z.infer<typeof ratingHistory>

/** The ratings of the places of a tenant. 404 without such a tenant. */
export const getRatingHistory = endpoint('GET', '/api/v1/admin/tenants/:id/ratings', {
  config: { capability: 'view' },
  operationId: 'tenants.ratings',
  summary: 'Get the rating history of the places of a tenant',
  tags: ['Tenants'],
  params: z.strictObject({ id: z.uuid() }),
  querystring: z.strictObject({ task_id: z.optional(z.uuid()) }),
  response: { 200: ratingHistory },
})
