import * as z from 'zod/mini'
import { businessStatus } from '#src/places/business-status.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment } from '#src/wire/text.ts'

/** Maximum number of reviews per place in Google's answer, chosen by Google ("most relevant"). */
export const REVIEWS_PER_PLACE = 5
/** Days from the last pull with a review until its deletion. */
export const REVIEW_RETENTION_DAYS = 30

/** An unaltered Google review. Every page with the review must show its author, link and photo. */
export const review = z.object({
  /** Google's resource name, `places/…/reviews/…`: identifies the review. */
  name: z.string(),
  /** Name of the author. */
  author_name: z.nullable(z.string()),
  /** Address of the author on Google Maps. */
  author_uri: z.nullable(z.string()),
  /** Address of the author's photo. */
  author_photo_uri: z.nullable(z.string()),
  /** One to five stars. */
  rating: z.nullable(z.number()),
  /** Text of the review. Null for a rating without text. */
  text: z.nullable(z.string()),
  /** Language of `text`, BCP 47. */
  language: z.nullable(z.string()),
  /** The original, if `text` is Google's translation. Null otherwise. */
  original_text: z.nullable(z.string()),
  /** When the review was published or last edited. */
  publish_time: z.nullable(moment),
  /** Address of the review on Google Maps. */
  google_maps_uri: z.nullable(z.string()),
  /** The first pull with the review. */
  first_seen_at: moment,
  /** The last pull with the review. */
  last_seen_at: moment,
  /** The pull with the last change of the review. */
  last_changed_at: moment,
})
export type Review = z.infer<typeof review>

/** Google's data of the place at the last pull. */
export const pulledPlace = z.object({
  /** Name of the place. */
  name: z.nullable(z.string()),
  /** Google's status of the business. */
  business_status: z.nullable(businessStatus),
  /** Average rating: one to five stars. */
  rating: z.nullable(z.number()),
  /** Number of ratings. */
  user_rating_count: z.nullable(z.int()),
  /** Address of the place on Google Maps. */
  google_maps_uri: z.nullable(z.string()),
  /** Address of the reviews on Google Maps. */
  reviews_uri: z.nullable(z.string()),
  /** The new place id of a moved place. Null for a place that was not moved. */
  moved_place_id: z.nullable(z.string()),
  /** Providers of the data, which must be shown with the reviews. */
  attributions: z.array(
    z.object({
      /** Name of the provider of the data. */
      provider: z.string(),
      /** Address of the provider. */
      provider_uri: z.nullable(z.string()),
    }),
  ),
})
export type PulledPlace = z.infer<typeof pulledPlace>

/** The last successful pull; all null before the first. `is_kept` is false when reviews are counted but not stored. */
export const taskReviews = z.object({
  /** When the pull ended. */
  pulled_at: z.nullable(moment),
  /** Whether the reviews are stored. Otherwise they are only counted. */
  is_kept: z.nullable(z.boolean()),
  /** The place at that time. */
  place: z.nullable(pulledPlace),
  /** The reviews, in Google's order. */
  reviews: z.array(review),
})
export type TaskReviews = z.infer<typeof taskReviews>

/** The reviews of the last successful pull. */
export const listTaskReviews = endpoint('GET', '/api/v1/admin/tasks/:task_id/reviews', {
  config: { capability: 'view' },
  operationId: 'task_reviews.list',
  summary: 'Read the reviews that a task last pulled',
  tags: ['Tasks'],
  params: z.strictObject({
    /** Id of the task. */
    task_id: z.uuid(),
  }),
  response: { 200: taskReviews },
})

/** The photo of a review's author. Photos that fail to load are absent. */
export const reviewPhoto = z.object({
  /** Name of the review. */
  name: z.string(),
  /** The image itself: the console's browser policy allows no images of other origins. */
  data_uri: z.string().check(z.regex(/^data:image\/(?:png|jpeg|webp);base64,[\w+/]+={0,2}$/)),
})
export type ReviewPhoto = z.infer<typeof reviewPhoto>

/**
 * The photos of the authors of the last pulled reviews, in one call: at most five, all from
 * one host. Fetched on demand and not stored.
 */
export const listReviewPhotos = endpoint('GET', `${listTaskReviews.url}/photos`, {
  config: { capability: 'view' },
  operationId: 'task_reviews.photos',
  summary: 'Fetch the photos of the authors of reviews',
  tags: ['Tasks'],
  params: z.strictObject({
    /** Id of the task. */
    task_id: z.uuid(),
  }),
  response: { 200: z.array(reviewPhoto) },
})
