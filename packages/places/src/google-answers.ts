import type { PlaceCandidate } from '@switchboard/contract/places'
import { businessStatus } from '@switchboard/contract/places/business-status'
import { cleanLine } from '@switchboard/contract/wire/text'
import { z } from 'zod'

// Google omits empty fields and adds new fields at any time: missing fields become `null`.

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null)
/** A name or an address. Lists show it on one line. */
const line = text.transform((value) => (value === null ? null : cleanLine(value) || null))
/** An address for a link; any other text, such as a script, becomes null. */
const link = text.transform((value) =>
  value !== null && /^https?:$/.test(URL.parse(value)?.protocol ?? '') ? value : null,
)
const named = z.object({ text: line }).nullish()
const localized = z.object({ text, languageCode: text }).nullish()
/** An unknown new state becomes null. */
const status = z
  .enum(businessStatus.options)
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)
const moment = z.iso
  .datetime({ offset: true })
  .nullish()
  // Up to nine decimals come in.
  .transform((value) => (typeof value === 'string' ? new Date(value).toISOString() : null))

/** Answer of `POST /v1/places:searchText`. */
export const searchAnswer = z
  .object({
    places: z
      .array(
        z.object({
          id: z.string().min(1),
          displayName: named,
          formattedAddress: line,
          businessStatus: status,
          googleMapsUri: link,
        }),
      )
      .default([]),
  })
  .transform(({ places }): PlaceCandidate[] =>
    places.map((place) => ({
      place_id: place.id,
      name: place.displayName?.text ?? null,
      address: place.formattedAddress,
      business_status: place.businessStatus,
      google_maps_uri: place.googleMapsUri,
    })),
  )

const review = z
  .object({
    name: z.string().min(1),
    rating: z.number().nullish(),
    text: localized,
    originalText: localized,
    authorAttribution: z.object({ displayName: line, uri: link, photoUri: text }).nullish(),
    publishTime: moment,
    googleMapsUri: link,
  })
  .transform((given) => ({
    name: given.name,
    /** Stars, 1 to 5. */
    rating: given.rating ?? null,
    text: given.text?.text ?? null,
    /** BCP 47 language of `text`. */
    language: given.text?.languageCode ?? null,
    original_text: given.originalText?.text ?? null,
    author_name: given.authorAttribution?.displayName ?? null,
    author_uri: given.authorAttribution?.uri ?? null,
    author_photo_uri: given.authorAttribution?.photoUri ?? null,
    publish_time: given.publishTime,
    google_maps_uri: given.googleMapsUri,
  }))
/** A review. `name` identifies the review; `publish_time` is ISO 8601 UTC with milliseconds. */
export type PlaceReview = z.infer<typeof review>

/** Answer of `GET /v1/places/{id}`. */
export const detailsAnswer = z
  .object({
    id: z.string().min(1),
    displayName: named,
    businessStatus: status,
    rating: z.number().nullish(),
    userRatingCount: z.int().nullish(),
    googleMapsUri: link,
    googleMapsLinks: z.object({ reviewsUri: link }).nullish(),
    movedPlaceId: text,
    attributions: z.array(z.object({ provider: z.string().transform(cleanLine), providerUri: link })).default([]),
    reviews: z.array(review).default([]),
  })
  .transform((given) => ({
    place_id: given.id,
    name: given.displayName?.text ?? null,
    business_status: given.businessStatus,
    /** Mean of all ratings, 1.0 to 5.0, and how many there are; not only of `reviews`. */
    rating: given.rating ?? null,
    user_rating_count: given.userRatingCount ?? null,
    google_maps_uri: given.googleMapsUri,
    /** Where all reviews can be read. */
    reviews_uri: given.googleMapsLinks?.reviewsUri ?? null,
    /** Where the business has moved to. */
    moved_place_id: given.movedPlaceId,
    /** Google's terms require that these are shown with the place. */
    attributions: given.attributions.map(({ provider, providerUri }) => ({ provider, provider_uri: providerUri })),
    /** The five most relevant at most; Google gives no more. */
    reviews: given.reviews,
  }))
export type PlaceDetails = z.infer<typeof detailsAnswer>
