import * as z from 'zod/mini'
import { country } from '#src/places/countries.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { errorResponses } from '#src/wire/errors.ts'
import { requiredText, text } from '#src/wire/text.ts'

/** Message for a look-up with a missing field. */
export const PLACE_QUERY_REQUIRED = 'Tenant Business Name, City, and Country are required.'

/** Longest name, city or state of a look-up. */
export const PLACE_QUERY_PART_MAX = 120

/** The search terms of a place look-up. */
export const placeQuery = z.strictObject({
  tenant_name: requiredText(PLACE_QUERY_PART_MAX, PLACE_QUERY_REQUIRED),
  city: requiredText(PLACE_QUERY_PART_MAX, PLACE_QUERY_REQUIRED),
  state: z.optional(text(PLACE_QUERY_PART_MAX).check(z.trim())),
  country,
})
export type PlaceQuery = z.infer<typeof placeQuery>

/** Google names no longest place id; those seen have up to 255 characters. */
export const PLACE_ID_MAX = 512
/** Google's id of a place, as typed or looked up. May be kept for ever, unlike all else that Google says of a place. */
export const placeId = requiredText(PLACE_ID_MAX, 'Enter a Google Place ID.').check(
  z.regex(/^[\w-]*$/, 'A Google Place ID has only letters, digits, hyphens and underscores.'),
)

/** Whether a business is open, as Google says it. */
export const BUSINESS_STATUSES = ['OPERATIONAL', 'CLOSED_TEMPORARILY', 'CLOSED_PERMANENTLY', 'FUTURE_OPENING'] as const
export const businessStatus = z.enum(BUSINESS_STATUSES)
export type BusinessStatus = z.infer<typeof businessStatus>

/** Most candidates that one look-up shows. */
export const PLACE_CANDIDATES_MAX = 5

/** One place that a look-up found. `null` is what Google does not say. */
export const placeCandidate = z.object({
  place_id: z.string(),
  name: z.nullable(z.string()),
  address: z.nullable(z.string()),
  business_status: z.nullable(businessStatus),
  google_maps_uri: z.nullable(z.string()),
})
export type PlaceCandidate = z.infer<typeof placeCandidate>

/** What a look-up answers. `data.place_id` is the first open candidate, otherwise the first; without a match `data` is null. */
export const generatedPlaceId = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.nullable(
    z.object({
      place_id: z.string(),
      /** What Google was asked, to keep beside the id: by it an obsolete one is found again. */
      query: z.string(),
      candidates: z.array(placeCandidate),
    }),
  ),
})
export type GeneratedPlaceId = z.infer<typeof generatedPlaceId>

/** Look-ups that one admin may make in an hour: each costs money. */
export const PLACE_LOOKUPS_PER_HOUR = 30

/**
 * Looks a business up at Google Maps. 429 with `Retry-After` after too many in an hour; 502 or 503 with a sentence when
 * Google refuses or cannot be reached.
 */
export const generatePlaceId = {
  method: 'POST',
  url: '/api/v1/admin/google/places/id/generate',
  schema: {
    operationId: 'places.generate_id',
    summary: 'Look up the Google Place ID of a business',
    tags: ['Google Places'],
    body: placeQuery,
    response: { 200: generatedPlaceId, ...errorResponses },
  },
} as const satisfies Endpoint
