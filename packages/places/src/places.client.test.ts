import { createServer, type RequestListener } from 'node:http'
import { createServer as createSilentServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createPlacesClient, type PlacesOptions } from './places.client.ts'
import { failure } from './testing/failure.ts'
import { listening } from './testing/listening.ts'

const KEY = 'AIza-not-a-real-key'
const QUERY = { tenant_name: 'Acme Dental', city: 'Austin', state: 'Texas', country: 'United States' } as const

test('a search names the place only in its text and the key only in its header', async () => {
  const seen: unknown[] = []
  const client = await clientOf((request, response) => {
    request.setEncoding('utf8').on('data', (body) => {
      const { 'x-goog-api-key': key, 'x-goog-fieldmask': fields } = request.headers
      seen.push(request.method, request.url, key, fields, JSON.parse(body))
    })
    request.on('end', () => response.end('{}'))
  })
  expect(await client.searchPlaces(QUERY)).toEqual({
    query: 'Acme Dental, Austin, Texas, United States',
    candidates: [],
  })
  expect(seen).toEqual([
    'POST',
    '/v1/places:searchText',
    KEY,
    'places.id,places.displayName,places.formattedAddress,places.businessStatus,places.googleMapsUri',
    {
      textQuery: 'Acme Dental, Austin, Texas, United States',
      languageCode: 'en',
      regionCode: 'US',
      pageSize: 5,
      includePureServiceAreaBusinesses: true,
    },
  ])
})

test('missing fields are null, additional fields are ignored', async () => {
  const answer = {
    id: 'ChIJ1',
    businessStatus: 'SOLD',
    new: [1],
    reviews: [{ name: 'places/ChIJ1/reviews/1', rating: 5, publishTime: '2026-05-01T10:22:33.123456789Z' }],
  }
  const client = await clientOf((_request, response) => response.end(JSON.stringify(answer)))
  expect(await client.placeDetails('ChIJ1')).toEqual({
    place_id: 'ChIJ1',
    name: null,
    business_status: null,
    rating: null,
    user_rating_count: null,
    google_maps_uri: null,
    reviews_uri: null,
    moved_place_id: null,
    attributions: [],
    reviews: [
      {
        name: 'places/ChIJ1/reviews/1',
        rating: 5,
        text: null,
        language: null,
        original_text: null,
        author_name: null,
        author_uri: null,
        author_photo_uri: null,
        publish_time: '2026-05-01T10:22:33.123Z',
        google_maps_uri: null,
      },
    ],
  })
})

test('an invalid link of a page is null', async () => {
  const script = 'javascript:alert(1)'
  const answer = {
    id: 'ChIJ1',
    googleMapsUri: script,
    googleMapsLinks: { reviewsUri: 'data:text/html,x' },
    attributions: [{ provider: 'Listing Co', providerUri: script }],
    reviews: [{ name: 'places/ChIJ1/reviews/1', googleMapsUri: '/x', authorAttribution: { uri: script } }],
  }
  const client = await clientOf((_request, response) => response.end(JSON.stringify(answer)))
  expect(await client.placeDetails('ChIJ1')).toMatchObject({
    google_maps_uri: null,
    reviews_uri: null,
    attributions: [{ provider: 'Listing Co', provider_uri: null }],
    reviews: [{ google_maps_uri: null, author_uri: null }],
  })
})

test('names and addresses are on one line without control characters, and reviews are unchanged', async () => {
  const place = {
    id: 'ChIJ1',
    displayName: { text: '\u202eAcme\nDental\u2069 ' },
    formattedAddress: '\u200b1 High\tStreet\r\nAustin',
    attributions: [{ provider: 'Listing\nCo' }],
    reviews: [
      {
        name: 'places/ChIJ1/reviews/1',
        text: { text: 'One\nTwo' },
        authorAttribution: { displayName: '\u2066Ada\u0007' },
      },
      { name: 'places/ChIJ1/reviews/2', authorAttribution: { displayName: '\u202e' } },
    ],
  }
  const client = await clientOf((request, response) =>
    response.end(JSON.stringify(request.method === 'POST' ? { places: [place] } : place)),
  )
  expect(await client.placeDetails('ChIJ1')).toMatchObject({
    name: 'Acme Dental',
    attributions: [{ provider: 'Listing Co' }],
    reviews: [{ author_name: 'Ada', text: 'One\nTwo' }, { author_name: null }],
  })
  const query = { tenant_name: 'Acme', city: 'Austin', country: 'United States' } as const
  expect((await client.searchPlaces(query)).candidates).toMatchObject([
    { name: 'Acme Dental', address: '\u200b1 High Street Austin' },
  ])
})

test('without a key there is no call', async () => {
  const client = createPlacesClient({ url: 'http://127.0.0.1:1', apiKey: undefined, now: () => new Date(0) })
  const error = await failure(client.placeDetails('ChIJ1'))
  expect([error.reason, error.sentence]).toEqual(['not_configured', 'Google Maps is not configured.'])
})

test.for(['', '..', 'a/b', 'a?b', 'ChIJ ä'])('"%s" is not a place id, and causes no call', async (id) => {
  const client = await clientOf(() => expect.fail('asked'))
  expect((await failure(client.placeDetails(id))).reason).toBe('place_malformed')
})

test('a slow connection is given up', async () => {
  const url = await listening(createSilentServer())
  const client = newClient({ url: url.replace('http:', 'https:'), connectMs: 100 })
  expect((await failure(client.placeDetails('ChIJ1'))).message).toBe('timeout (UND_ERR_CONNECT_TIMEOUT)')
})

test('a slow answer is given up as a whole', async () => {
  const client = await clientOf(
    (_request, response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(drip))
    },
    { totalMs: 200 },
  )
  expect((await failure(client.placeDetails('ChIJ1'))).reason).toBe('timeout')
})

test('a refused connection is reported by its code only', async () => {
  const error = await failure(newClient({ url: 'http://127.0.0.1:1' }).placeDetails('ChIJ1'))
  expect(error.message).toBe('unreachable (ECONNREFUSED)')
})

async function clientOf(listener: RequestListener, options: Partial<PlacesOptions> = {}) {
  return newClient({ url: await listening(createServer(listener)), ...options })
}

function newClient(options: Partial<PlacesOptions> & { url: string }) {
  const client = createPlacesClient({ apiKey: KEY, now: () => new Date('2026-11-20T09:30:00.000Z'), ...options })
  onTestFinished(() => client.close())
  return client
}
