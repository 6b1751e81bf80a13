import { PLACE_LOOKUPS_PER_HOUR } from '@switchboard/contract/places'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { createPlacesClient } from '@switchboard/places/places.client'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const KEY = 'AIza-of-the-test'
const now = () => new Date('2026-11-20T12:00:00.000Z')
const emulator = await startMapsEmulator({ now, apiKey: KEY })
const places = createPlacesClient({ url: emulator.url, apiKey: KEY, now, totalMs: 1_000 })
const api = await startTestApi({ places })
const { db, clock } = api
afterAll(async () => {
  await places.close()
  await emulator.close()
})

const url = '/api/v1/admin/google/places/id/generate'
const ACME = { tenant_name: 'Acme Dental', city: 'Austin', state: 'Texas', country: 'United States' }
const lastAudit = (userId: string) =>
  db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'reason', 'changes'])
    .where('actor_id', '=', userId)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()

/** A new admin for each test, so that the hourly limit of one test does not affect another. */
async function newUser() {
  const { admin, call } = await api.signIn()
  return { id: admin.id, lookUp: (body: object = ACME) => call({ method: 'POST', url, body }) }
}

describe('looking a place up', () => {
  test('answers the only place with the query, and stores only its id', async () => {
    const admin = await newUser()
    const answer = await admin.lookUp()
    expect(answer.statusCode).toBe(200)
    const { data, ...rest } = answer.json()
    expect(rest).toEqual({ success: true, message: '1 matching place on Google Maps.' })
    expect(data).toEqual({
      place_id: data.candidates[0].place_id,
      query: 'Acme Dental, Austin, Texas, United States',
      candidates: [
        {
          place_id: expect.stringMatching(/^ChIJ/),
          name: 'Acme Dental',
          address: expect.stringMatching(/Sample Street, Austin, Texas, United States$/),
          business_status: 'OPERATIONAL',
          google_maps_uri: expect.stringMatching(/^https:/),
        },
      ],
    })
    expect(await lastAudit(admin.id)).toEqual({
      action: 'places.generate_id',
      outcome: 'done',
      reason: null,
      changes: {
        query: { before: null, after: data.query },
        place_id: { before: null, after: data.place_id },
      },
    })
  })

  test('answers up to five places, with the first open place as the id', async () => {
    const { lookUp } = await newUser()
    const { message, data } = (await lookUp({ ...ACME, tenant_name: 'Chain Bakery' })).json()
    expect(message).toBe('5 matching places on Google Maps.')
    expect(data.candidates).toHaveLength(5)
    expect(data.place_id).toBe(data.candidates[0].place_id)
  })

  test('answers a closed place as well', async () => {
    const { lookUp } = await newUser()
    const { success, data } = (await lookUp({ ...ACME, tenant_name: 'Closed Garage' })).json()
    expect([success, data.candidates[0].business_status]).toEqual([true, 'CLOSED_PERMANENTLY'])
  })

  test('without a match suggests a next step', async () => {
    const { lookUp } = await newUser()
    expect((await lookUp({ ...ACME, tenant_name: 'Nowhere' })).json()).toEqual({
      success: false,
      message: 'No matching place on Google Maps. Check the spelling, or try it without the state.',
      data: null,
    })
  })

  const REQUIRED = 'Tenant Business Name, City, and Country are required.'
  const refused: [object, string, string][] = [
    [{ ...ACME, tenant_name: ' ' }, 'tenant_name', REQUIRED],
    [{ ...ACME, city: '' }, 'city', REQUIRED],
    [{ ...ACME, country: 'Atlantis' }, 'country', 'Choose a country from the list.'],
    [{ ...ACME, tenant_name: 'a'.repeat(121) }, 'tenant_name', 'Use at most 120 characters.'],
    [{ ...ACME, region: 'EU' }, 'region', 'This field is unknown.'],
  ]
  test.for(refused)('refuses %o', async ([body, field, msg]) => {
    const { lookUp } = await newUser()
    const answer = await lookUp(body)
    expect([answer.statusCode, answer.json().detail]).toMatchObject([422, [{ loc: ['body', field], msg }]])
  })
})

describe("Google's refusals become our sentences", () => {
  const faults = [
    ['key_invalid', 502, "The platform's Google key is wrong. Ask operations."],
    ['quota_minute', 503, "Google's limit of requests per minute is reached. Try again in a minute."],
    ['unavailable', 503, 'Google Maps has a fault at the moment. Try again later.'],
    ['html', 503, 'The answer of Google Maps cannot be read. Try again later.'],
    ['slow', 503, 'Google Maps did not answer in time. Try again later.'],
  ] as const
  test.for(faults)('%s is %s', async ([fault, status, sentence]) => {
    const admin = await newUser()
    emulator.script('searchText', [fault])
    const answer = await admin.lookUp()
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { detail: sentence }])
    expect(await lastAudit(admin.id)).toMatchObject({ outcome: 'refused', reason: sentence })
  })

  test('the time to try again is sent as Retry-After', async () => {
    const { lookUp } = await newUser()
    emulator.script('searchText', [{ fault: 'unavailable', retry_after: 7 }, 'quota_day'])
    expect((await lookUp()).headers['retry-after']).toBe('7')
    // Noon in Greenwich is four in the morning in Los Angeles.
    expect((await lookUp()).headers['retry-after']).toBe(String(20 * 3_600))
  })

  test('the log says why, and nowhere names the key', async () => {
    const { lookUp } = await newUser()
    emulator.script('searchText', ['key_address_blocked'])
    await lookUp()
    const lines = api.logLines.join('')
    expect(lines).toContain('key_address_blocked (HTTP 403 PERMISSION_DENIED API_KEY_IP_ADDRESS_BLOCKED)')
    expect(lines).not.toContain(KEY)
  })
})

test('look-ups are limited per hour and admin, also in parallel', async () => {
  const [admin, other] = [await newUser(), await newUser()]
  const earlier = Array.from({ length: PLACE_LOOKUPS_PER_HOUR - 5 }, () => ({ user_id: admin.id, at: clock.at }))
  await db.insertInto('place_lookups').values(earlier).execute()
  const answers = await Promise.all(Array.from({ length: 10 }, () => admin.lookUp()))
  const refusals = answers.filter(({ statusCode }) => statusCode === 429)
  expect(refusals).toHaveLength(5)
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5)
  expect(refusals[0]?.json()).toMatchObject({ detail: 'You may look up 30 places an hour. Try again in 60 minutes.' })
  expect(refusals[0]?.headers['retry-after']).toBe('3600')
  expect((await other.lookUp()).statusCode).toBe(200)

  clock.at = new Date(clock.at.getTime() + 59 * 60_000 + 1)
  expect((await admin.lookUp()).json()).toMatchObject({
    detail: 'You may look up 30 places an hour. Try again in 1 minute.',
  })
  expect(await lastAudit(admin.id)).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/^You may/) })
  clock.at = new Date(clock.at.getTime() + 60_000)
  expect((await admin.lookUp()).statusCode).toBe(200)
})

test('without a key the look-up says so', async () => {
  const unconfigured = createPlacesClient({ url: emulator.url, apiKey: undefined, now })
  const { signIn } = await startTestApi({ places: unconfigured })
  const { call } = await signIn()
  const answer = await call({ method: 'POST', url, body: ACME })
  expect([answer.statusCode, answer.json()]).toMatchObject([502, { detail: 'Google Maps is not configured.' }])
})
