import { countryCode } from '@switchboard/contract/places/countries'
import { PLACE_CANDIDATES_MAX, type PlaceCandidate, type PlaceQuery } from '@switchboard/contract/places'
import { placeId } from '@switchboard/contract/places/place-id'
import { request } from 'undici'
import type { z } from 'zod'
import { detailsAnswer, type PlaceDetails, searchAnswer } from './google-answers.ts'
import { type CallKind, refusal } from './google-refusals.ts'
import { outboundAgent } from '@switchboard/server/outbound/outbound-agent'
import type { OutboundProxies } from '@switchboard/server/settings/outbound-proxies'
import { networkError, PlacesError } from './places-error.ts'

/** Limits of a connection, a whole call and an answer. */
const CONNECT_MS = 5_000
const TOTAL_MS = 15_000
const BODY_MAX = 1_048_576

/** Fields shown for a choice; together the price of "Text Search Pro". */
const SEARCH_FIELDS = 'places.id,places.displayName,places.formattedAddress,places.businessStatus,places.googleMapsUri'
/** Fields of a pull; together the price of "Place Details Enterprise + Atmosphere". */
const DETAILS_FIELDS =
  'id,displayName,businessStatus,rating,userRatingCount,reviews,googleMapsUri,googleMapsLinks.reviewsUri,movedPlaceId,attributions'

/**
 * Google Places API (New). Every call is one attempt and throws a PlacesError when it fails; retries are the caller's
 * decision.
 */
export type PlacesClient = {
  /** Up to five matching places, best first, and the query sent to Google. An empty list without a match. */
  searchPlaces(query: PlaceQuery): Promise<{ query: string; candidates: PlaceCandidate[] }>
  /** A place with its five most relevant reviews. */
  placeDetails(id: string): Promise<PlaceDetails>
  /** Closes the connections; running calls fail. */
  close(): Promise<void>
}

export type PlacesOptions = {
  /** Origin of the API, such as `https://places.googleapis.com`. */
  url: string
  /** Undefined: every call fails with `not_configured`. */
  apiKey: string | undefined
  now: () => Date
  /** Without proxies, calls are direct. */
  proxies?: OutboundProxies
  connectMs?: number
  totalMs?: number
}

/** Creates a client of Google Places API (New) with its own connections. */
export function createPlacesClient(options: PlacesOptions): PlacesClient {
  const { url, apiKey, now, proxies, connectMs = CONNECT_MS, totalMs = TOTAL_MS } = options
  const dispatcher = outboundAgent(proxies, { connectMs, bodyMax: BODY_MAX })

  async function call<T>(given: Call, answer: z.ZodType<T>): Promise<T> {
    if (apiKey === undefined) throw new PlacesError('not_configured')
    const { status, retryAfter, text } = await send(given, apiKey)
    const json = parsed(text)
    if (status !== 200) throw refusal({ status, retryAfter, json }, given.kind, now())
    const { success, data } = answer.safeParse(json)
    if (!success) throw new PlacesError('unreadable', { detail: json === undefined ? 'not JSON' : 'another shape' })
    return data
  }

  async function send({ path, fields, body }: Call, key: string) {
    try {
      const response = await request(`${url}${path}`, {
        dispatcher,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'x-goog-api-key': key,
          'x-goog-fieldmask': fields,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(totalMs),
      })
      const retryAfter = [response.headers['retry-after']].flat()[0]
      return { status: response.statusCode, retryAfter, text: await response.body.text() }
    } catch (error) {
      throw networkError(error)
    }
  }

  return {
    async searchPlaces(given) {
      const query = queryText(given)
      const body = {
        textQuery: query,
        languageCode: 'en',
        regionCode: countryCode(given.country),
        pageSize: PLACE_CANDIDATES_MAX,
        includePureServiceAreaBusinesses: true,
      }
      const places = await call(
        { kind: 'search', path: '/v1/places:searchText', fields: SEARCH_FIELDS, body },
        searchAnswer,
      )
      return { query, candidates: places.slice(0, PLACE_CANDIDATES_MAX) }
    },
    async placeDetails(id) {
      const { success, data: place } = placeId.safeParse(id)
      if (!success) throw new PlacesError('place_malformed')
      const path = `/v1/places/${place}?languageCode=en`
      return await call({ kind: 'place', path, fields: DETAILS_FIELDS }, detailsAnswer)
    },
    close: () => dispatcher.destroy(),
  }
}

type Call = { kind: CallKind; path: string; fields: string; body?: object }

/** `Acme Dental, Austin, Texas, United States`: without a place in the text, Google uses the location of the server. */
function queryText({ tenant_name, city, state, country }: PlaceQuery): string {
  return [tenant_name, city, state, country].filter((part) => part !== undefined && part !== '').join(', ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
