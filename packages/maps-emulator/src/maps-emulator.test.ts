import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startMapsEmulator } from './maps-emulator.ts'
import { sampleId } from './sample-places.ts'

const clock = { at: new Date('2026-11-20T09:30:00.000Z') }
const emulator = await startMapsEmulator({ now: () => clock.at })
afterAll(() => emulator.close())

const ALL = { 'x-goog-api-key': 'any', 'x-goog-fieldmask': '*' }

describe('the required parts of a request', () => {
  test('a call without a key is refused like at Google', async () => {
    const answer = await fetch(`${emulator.url}/v1/places/ChIJtest`, { headers: { 'x-goog-fieldmask': 'id' } })
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: { status: 'PERMISSION_DENIED' } }])
  })

  test.for(['', 'id,nothing', 'id, displayName', 'places.id'])('the field mask "%s" is refused', async (mask) => {
    const { status, body } = await details('ChIJtest', mask)
    expect([status, body]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }])
  })

  test('only the fields of the mask come back', async () => {
    const { body } = await details('ChIJtest', 'id,displayName,googleMapsLinks.reviewsUri')
    expect(Object.keys(body)).toEqual(['id', 'displayName', 'googleMapsLinks'])
    expect((await search('Acme Dental, Austin, United States', 'places.id')).body).toEqual({
      places: [{ id: expect.any(String) }],
    })
  })

  test.for([{}, { textQuery: '' }, { textQuery: 'a', pageSize: 21 }, { textQuery: 'a', query: 'a' }])(
    'the search %o is refused',
    async (body) => {
      const answer = await post(body)
      expect([answer.status, answer.body]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }])
    },
  )
})

describe('the results of a search', () => {
  const names: [string, number, string][] = [
    ['Acme Dental', 1, 'OPERATIONAL'],
    ['Nowhere Clinic', 0, ''],
    ['Chain Bakery', 5, 'OPERATIONAL'],
    ['Closed Garage', 1, 'CLOSED_PERMANENTLY'],
    ['Moved Studio', 1, 'CLOSED_PERMANENTLY'],
    ['Soon Press', 1, 'FUTURE_OPENING'],
  ]
  test.for(names)('%s finds %s, the first %s', async ([name, count, status]) => {
    const { body } = await search(`${name}, Austin, Texas, United States`)
    const places = body.places ?? []
    expect(places).toHaveLength(count)
    if (count > 0) {
      expect(places[0]).toMatchObject({
        businessStatus: status,
        formattedAddress: expect.stringMatching(/^\d+ Sample Street, Austin, Texas, United States$/),
      })
    }
  })

  test('each have their own name, address and id, and some are closed', async () => {
    const { body } = await search('Chain Bakery, Austin, United States')
    for (const field of ['id', 'formattedAddress'])
      expect(new Set(body.places?.map((place) => Reflect.get(place, field))).size).toBe(5)
    expect(new Set(body.places?.map(({ businessStatus }) => businessStatus)).size).toBeGreaterThan(1)
  })

  test('an id means the same place in another emulator', async () => {
    const { body } = await search('Acme Dental, Austin, United States')
    const [place] = body.places ?? []
    const other = await startMapsEmulator({ now: () => clock.at })
    const again = await fetch(`${other.url}/v1/places/${place?.id}`, { headers: ALL })
    expect(await again.json()).toEqual(place)
    await other.close()
  })

  test('an id from elsewhere is some place, and a moved place has a new id', async () => {
    expect((await details('ChIJN1t_tDeuEmsRUsoyG83frY4')).body).toMatchObject({ businessStatus: 'OPERATIONAL' })
    const [moved] = (await search('Moved Studio, Austin, United States')).body.places ?? []
    expect((await details(moved?.movedPlaceId ?? '')).body).toMatchObject({ displayName: { text: 'New home Studio' } })
  })
})

describe('reviews', () => {
  test('a place has five reviews, which name the place', async () => {
    const { body } = await details('ChIJtest')
    expect(body.reviews).toHaveLength(5)
    for (const { name } of body.reviews ?? []) expect(name).toMatch(/^places\/ChIJtest\/reviews\/\w+$/)
  })

  test('are the same at the same time; new and rewritten reviews come later', async () => {
    const first = (await details('ChIJtest')).body.reviews ?? []
    expect((await details('ChIJtest')).body.reviews).toEqual(first)
    const seen = new Map(first.map((review) => [review.name, review.text?.text]))
    let [fresh, rewritten] = [0, 0]
    for (let days = 0; days < 30; days += 1) {
      clock.at = new Date(clock.at.getTime() + 86_400_000)
      for (const { name, text } of (await details('ChIJtest')).body.reviews ?? []) {
        if (!seen.has(name)) fresh += 1
        else if (seen.get(name) !== text?.text) rewritten += 1
        seen.set(name, text?.text)
      }
    }
    expect(fresh).toBeGreaterThan(5)
    expect(rewritten).toBeGreaterThan(0)
  })
})

test('an id with a fault always fails this way', async () => {
  const place = { branch: 0, name: 'Acme Dental', locality: 'Austin', region: 'US' }
  for (let n = 0; n < 2; n += 1) {
    expect((await details(sampleId({ ...place, fault: 'place_obsolete' }), 'id')).status).toBe(404)
    expect((await details(sampleId(place), 'id')).status).toBe(200)
  }
})

test('a script is followed call by call, from within or over HTTP; later calls succeed', async () => {
  emulator.script('ChIJscripted', ['unavailable', 'ok', { fault: 'quota_minute', retry_after: 7 }])
  expect((await details('ChIJscripted')).status).toBe(503)
  expect((await details('ChIJscripted')).status).toBe(200)
  const third = await details('ChIJscripted')
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '7'])
  expect((await details('ChIJscripted')).status).toBe(200)

  const put = (steps: unknown) =>
    fetch(`${emulator.url}/emulator/scripts/ChIJscripted`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(steps),
    })
  expect((await put(['place_obsolete'])).status).toBe(204)
  expect((await put(['no such fault'])).status).toBe(400)
  expect((await details('ChIJscripted')).status).toBe(404)
})

const place = z.looseObject({
  id: z.string(),
  businessStatus: z.string(),
  movedPlaceId: z.string(),
  reviews: z.array(z.looseObject({ name: z.string(), text: z.looseObject({ text: z.string() }).optional() })),
})
const answered = z.looseObject({ ...place.partial().shape, places: z.array(place.partial()).optional() })

async function details(id: string, mask = '*') {
  const answer = await fetch(`${emulator.url}/v1/places/${id}`, { headers: { ...ALL, 'x-goog-fieldmask': mask } })
  const body = answered.parse(await answer.json())
  return { status: answer.status, headers: answer.headers, body }
}

async function search(textQuery: string, mask = '*') {
  return await post({ textQuery, regionCode: 'US', pageSize: 5 }, mask)
}

async function post(query: object, mask = '*') {
  const answer = await fetch(`${emulator.url}/v1/places:searchText`, {
    method: 'POST',
    headers: { ...ALL, 'x-goog-fieldmask': mask, 'content-type': 'application/json' },
    body: JSON.stringify(query),
  })
  const body = answered.parse(await answer.json())
  return { status: answer.status, body }
}
