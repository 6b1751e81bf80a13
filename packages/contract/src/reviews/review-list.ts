import * as z from 'zod/mini'
import { pulledPlace, review, reviewPhoto } from '#src/reviews.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { describeList } from '#src/wire/list-endpoints.ts'
import { commaSeparated, searchTerm } from '#src/wire/lists.ts'
import { wholeNumber } from '#src/wire/whole-number.ts'

/** Maximum number of photos of one call. */
export const REVIEW_PHOTOS_MAX = 25

/** Values of the attention filter of reviews. */
const reviewAttention = z.enum(['reviews_low'])

/** A stored review in the list of a tenant, with its task. Every page with the review must show the attributions too. */
export const listedReview = z.extend(review, {
  /** Id of the stored review. */
  id: z.uuid(),
  /** Id of the task that pulled the review. */
  task_id: z.uuid(),
  /** Google's id of the place. */
  place_id: z.string(),
  /** Name of the place, as chosen for the task, or else from the last pull. Null if unknown. */
  place_name: z.nullable(z.string()),
  /** Address of the place. Null if unknown. */
  place_address: z.nullable(z.string()),
  /** Whether the last successful run returned the review. */
  is_current: z.boolean(),
  attributions: pulledPlace.shape.attributions,
})
export type ListedReview = z.infer<typeof listedReview>

const noun = { name: 'reviews', plural: 'reviews', url: '/api/v1/admin/reviews', tag: 'Tasks' } as const

/**
 * The stored reviews of all tasks of a tenant. Without an export, which Google's terms forbid (docs/google.md).
 */
export const reviewList = describeList(noun, {
  description:
    'Stored reviews of all tasks of a tenant, newest first. Searches authors and texts, as written and translated. A review ' +
    'without a time of publication has the time of its first pull. `attention=reviews_low` finds new low ratings. ' +
    'There is no export: the terms of Google forbid it.',
  row: listedReview,
  sorts: ['publish_time', '-publish_time', 'rating', '-rating'],
  defaultSort: '-publish_time',
  filters: {
    /** Id of the tenant. */
    tenant_id: z.uuid(),
    q: searchTerm,
    /** Only reviews with this number of stars. */
    rating: z.optional(wholeNumber(1, 5)),
    /** Only reviews pulled by this task. */
    task_id: z.optional(z.uuid()),
    /** Only new low ratings. */
    attention: z.optional(reviewAttention),
  },
})
export type ReviewListQuery = z.infer<typeof reviewList.list.schema.querystring>

/** The photos of the authors of listed reviews. Fetched on demand and not stored; photos that fail to load are absent. */
export const listPhotosByReview = endpoint('GET', `${noun.url}/photos`, {
  config: { capability: 'view' },
  operationId: 'reviews.photos',
  summary: 'Fetch the photos of the authors of listed reviews',
  tags: ['Tasks'],
  querystring: z.strictObject({
    /** Ids of the reviews, separated by commas, at most 25. */
    ids: commaSeparated(z.uuid(), REVIEW_PHOTOS_MAX),
  }),
  response: {
    200: z.array(
      z.object({
        /** Id of the review. */
        id: z.uuid(),
        data_uri: reviewPhoto.shape.data_uri,
      }),
    ),
  },
})
