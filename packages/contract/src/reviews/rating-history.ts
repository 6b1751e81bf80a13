import * as z from 'zod/mini'
import { pulledPlace } from '#src/reviews.ts'
import { endpoint } from '#src/wire/endpoint.ts'

/** Maximum number of places in a rating history. */
export const RATED_PLACES_MAX = 200

const ratedPlace = z.object({
  /** Id of the task that pulls the place. */
  task_id: z.uuid(),
  /** Google's id of the place. */
  place_id: z.string(),
  /** Name of the place, as chosen for the task, or else from the last pull. Null if unknown. */
  place_name: z.nullable(z.string()),
  /** Address of the place. Null if unknown. */
  place_address: z.nullable(z.string()),
  /** Average rating at the last successful run: one to five stars. */
  rating: z.nullable(z.number()),
  /** Number of ratings at that time. */
  user_rating_count: z.nullable(z.int()),
})
export type RatedPlace = z.infer<typeof ratedPlace>

/** The rating of a place at the last successful run of a UTC day. */
const dayRating = z.object({
  /** The day, in UTC. */
  day: z.iso.date(),
  /** Average rating: one to five stars. */
  rating: z.number(),
  /** Number of ratings. */
  user_rating_count: z.int(),
})
export type DayRating = z.infer<typeof dayRating>

/** The rated places of a tenant, and the ratings of one of them over the days for which Google's terms allow storage. */
export const ratingHistory = z.object({
  /** Places of tasks whose last successful run stored them: those with the most ratings first, 200 at most. */
  places: z.array(ratedPlace),
  /** The requested place, by default the first. Null without such a place. */
  shown: z.nullable(
    z.object({
      ...ratedPlace.shape,
      /** Address of the place on Google Maps. */
      google_maps_uri: pulledPlace.shape.google_maps_uri,
      attributions: pulledPlace.shape.attributions,
      /** First day of the history, in UTC. */
      from: z.iso.date(),
      /** Last day of the history, in UTC. */
      to: z.iso.date(),
      /** Ratings by day, oldest first. A day without a successful run is absent. */
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
  params: z.strictObject({
    /** Id of the tenant. */
    id: z.uuid(),
  }),
  querystring: z.strictObject({
    /** Id of the task whose place is shown. By default the place with the most ratings. */
    task_id: z.optional(z.uuid()),
  }),
  response: { 200: ratingHistory },
})
