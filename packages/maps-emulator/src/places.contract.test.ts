import { createPlacesClient } from '@switchboard/places/places.client'
import { failure } from '@switchboard/places/testing/failure'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Fault, FAULTS } from './faults.ts'
import { startMapsEmulator } from './maps-emulator.ts'

const NOW = new Date('2026-11-20T09:30:00.000Z')
const now = () => NOW
const KEY = 'AIza-of-the-emulator'
const emulator = await startMapsEmulator({ now, apiKey: KEY })
afterAll(() => emulator.close())

/** Claims about the client over the emulator; over Google itself with a key. */
const realKey = process.env['GOOGLE_MAPS_API_KEY']
const answering: [string, string, string][] = [
  ['the emulator', emulator.url, KEY],
  ...(realKey === undefined
    ? []
    : [['Google', 'https://places.googleapis.com', realKey] satisfies [string, string, string]]),
]
describe.for(answering)('over %s', ([, url, apiKey]) => {
  const client = createPlacesClient({ url, apiKey, now })
  afterAll(() => client.close())
  const OPERA = { tenant_name: 'Sydney Opera House', city: 'Sydney', country: 'Australia' } as const

  test('a search finds up to five places with name, address and status', async () => {
    const { query, candidates } = await client.searchPlaces(OPERA)
    expect(query).toBe('Sydney Opera House, Sydney, Australia')
    expect(candidates.length).toBeLessThanOrEqual(5)
    expect(candidates[0]).toEqual({
      place_id: expect.stringMatching(/^[\w-]{20,}$/),
      name: expect.stringContaining('Sydney Opera House'),
      address: expect.stringContaining('Australia'),
      business_status: 'OPERATIONAL',
      google_maps_uri: expect.stringMatching(/^https:/),
    })
  })

  test('a search without a match finds nothing', async () => {
    const query = { tenant_name: 'Nowhere qzxwvkj 8841 fnord', city: 'Qzxwvkj', country: 'Nauru' } as const
    expect((await client.searchPlaces(query)).candidates).toEqual([])
  })

  test('a place has its rating and up to five reviews, each with name, author and time', async () => {
    const [found] = (await client.searchPlaces(OPERA)).candidates
    const place = await client.placeDetails(found?.place_id ?? '')
    expect(place.place_id).toBe(found?.place_id)
    expect(place.rating).toBeGreaterThanOrEqual(1)
    expect(place.user_rating_count).toBeGreaterThan(0)
    expect(place.reviews_uri).toMatch(/^https:/)
    expect(place.reviews.length).toBeGreaterThan(0)
    expect(place.reviews.length).toBeLessThanOrEqual(5)
    for (const review of place.reviews) {
      expect(review.name).toMatch(new RegExp(`^places/${place.place_id}/reviews/.+`))
      expect(review.author_name).not.toBe('')
      expect(review.publish_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  test('an invalid id is malformed', async () => {
    expect((await failure(client.placeDetails('not-a-place-id'))).reason).toBe('place_malformed')
  })

  test('a wrong key is reported as invalid and never printed', async () => {
    const stranger = createPlacesClient({ url, apiKey: 'AIza-wrong', now })
    onTestFinished(() => stranger.close())
    const error = await failure(stranger.searchPlaces(OPERA))
    expect([error.reason, error.sentence]).toEqual([
      'key_invalid',
      "The platform's Google key is wrong. Ask operations.",
    ])
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('AIza')
  })
})

describe('every fault becomes its reason', () => {
  const client = createPlacesClient({ url: emulator.url, apiKey: KEY, now })
  const hasty = createPlacesClient({ url: emulator.url, apiKey: KEY, now, totalMs: 1_000 })
  afterAll(async () => void (await Promise.all([client.close(), hasty.close()])))
  const cases: [Fault, string, string][] = [
    ['key_invalid', 'key_invalid', 'platform'],
    ['place_malformed', 'place_malformed', 'permanent'],
    ['place_obsolete', 'place_obsolete', 'permanent'],
    ['service_disabled', 'service_disabled', 'platform'],
    ['billing_disabled', 'billing_disabled', 'platform'],
    ['key_service_blocked', 'key_service_blocked', 'platform'],
    ['key_address_blocked', 'key_address_blocked', 'platform'],
    ['key_referrer_blocked', 'key_referrer_blocked', 'platform'],
    ['quota_minute', 'quota_minute', 'transient'],
    ['quota_day', 'quota_day', 'later'],
    ['internal', 'unavailable', 'transient'],
    ['unavailable', 'unavailable', 'transient'],
    ['deadline', 'timeout', 'transient'],
    ['bad_gateway', 'unavailable', 'transient'],
    ['slow', 'timeout', 'transient'],
    ['dropped', 'unreachable', 'transient'],
    ['huge', 'too_large', 'transient'],
    ['html', 'unreadable', 'transient'],
    ['cut_off', 'unreadable', 'transient'],
    ['wrong_shape', 'unreadable', 'transient'],
    ['svg', 'unreadable', 'transient'],
    ['huge_png', 'too_large', 'transient'],
    ['redirect', 'redirected', 'platform'],
  ]
  test('every fault has a case', () => {
    expect(cases.map(([fault]) => fault)).toEqual(FAULTS)
  })

  test.for(cases)('%s is %s, which is %s', async ([fault, reason, kind]) => {
    const asked = fault === 'slow' ? hasty : client
    const error = await failure(asked.placeDetails(`fault_${fault}`))
    expect([error.reason, error.kind]).toEqual([reason, kind])
  })

  test('Retry-After reaches the error', async () => {
    emulator.script('searchText', [{ fault: 'unavailable', retry_after: 3 }])
    const query = { tenant_name: 'Acme', city: 'Austin', country: 'United States' } as const
    expect((await failure(client.searchPlaces(query))).retryAfterMs).toBe(3_000)
    expect((await client.searchPlaces(query)).candidates).not.toEqual([])
  })
})
