import * as z from 'zod/mini'
import { businessStatus } from '#src/places/business-status.ts'
import { country } from '#src/places/countries.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { requiredText, trimmedText } from '#src/wire/text.ts'

/** Message for a look-up with a missing field. */
export const PLACE_QUERY_REQUIRED = 'Tenant Business Name, City, and Country are required.'

/** Longest name, city or state of a look-up. */
export const PLACE_QUERY_PART_MAX = 120

/** The search terms of a place look-up. */
export const placeQuery = z.strictObject({
  /** Name of the business. */
  tenant_name: requiredText(PLACE_QUERY_PART_MAX, PLACE_QUERY_REQUIRED),
  /** City of the business. */
  city: requiredText(PLACE_QUERY_PART_MAX, PLACE_QUERY_REQUIRED),
  /** State or province of the business. */
  state: z.optional(trimmedText(PLACE_QUERY_PART_MAX)),
  /** Country of the business. */
  country,
})
export type PlaceQuery = z.infer<typeof placeQuery>

/** Maximum number of candidates of a look-up. */
export const PLACE_CANDIDATES_MAX = 5

/** A place found by a look-up. `null`: not in Google's answer. */
export const placeCandidate = z.object({
  /** Google's id of the place. */
  place_id: z.string(),
  /** Name of the place. */
  name: z.nullable(z.string()),
  /** Address of the place. */
  address: z.nullable(z.string()),
  /** Google's status of the business. */
  business_status: z.nullable(businessStatus),
  /** Address of the place on Google Maps. */
  google_maps_uri: z.nullable(z.string()),
})
export type PlaceCandidate = z.infer<typeof placeCandidate>

/**
 * Result of a look-up. `data.place_id` is the first open candidate, otherwise the first; `data` is null without a
 * match.
 */
export const generatedPlaceId = z.object({
  /** Whether a place was found. */
  success: z.boolean(),
  /** The result as a sentence. */
  message: z.string(),
  /** The found places. Null without one. */
  data: z.nullable(
    z.object({
      /** Google's id of the proposed place. */
      place_id: z.string(),
      /** The query of the look-up, stored beside the id to find the new id of a moved place. */
      query: z.string(),
      /** The found places, at most five. */
      candidates: z.array(placeCandidate),
    }),
  ),
})
export type GeneratedPlaceId = z.infer<typeof generatedPlaceId>

/** Maximum number of look-ups per member and hour, because Google bills each. */
export const PLACE_LOOKUPS_PER_HOUR = 30

/**
 * Looks a business up at Google Maps. 429 with `Retry-After` after too many in an hour; 502 or 503 with a sentence
 * when Google refuses or cannot be reached.
 */
export const generatePlaceId = endpoint('POST', '/api/v1/admin/google/places/id/generate', {
  config: { capability: 'edit' },
  operationId: 'places.generate_id',
  summary: 'Look up the Google Place ID of a business',
  tags: ['Google Places'],
  body: placeQuery,
  response: { 200: generatedPlaceId },
})
