import type { RatingHistory } from '@switchboard/contract/reviews/rating-history'
import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { makePlaceRating } from '@switchboard/testing/place-rating-factory'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, signIn } = await startTestApi()
const { call } = await signIn()
const get = (id: string, query = '') => call({ method: 'GET', url: `/api/v1/admin/tenants/${id}/ratings${query}` })
const historyOf = async (id: string, query = ''): Promise<RatingHistory> => (await get(id, query)).json()

const tenant = await makeTenant(db)
const pulled = { rating: 4.6, user_rating_count: 312, name: 'Pier', google_maps_uri: 'https://maps.example/pier' }
const newTask = (place: object, fields: object = {}) =>
  makeTask(db, {
    tenant_id: tenant.id,
    last_run: sql<Date>`now()`,
    are_reviews_kept: true,
    pulled_place: JSON.stringify(place),
    ...fields,
  })
const quay = await newTask({ rating: 3.9, user_rating_count: 12 })
const pier = await newTask(pulled, { extra_data: { place_id: 'ChIJpier' } })
const unrated = await newTask({ rating: null, user_rating_count: null })
const neverRun = await makeTask(db, { tenant_id: tenant.id })
const day = (age: number) => sql<string>`(now() at time zone 'UTC')::date - ${age}::int`
const isoDay = (age: number) => new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10)
await makePlaceRating(db, { task_id: pier.id, day: day(30), user_rating_count: 290 })
await makePlaceRating(db, { task_id: pier.id, day: day(29), rating: 4.5, user_rating_count: 300 })
await makePlaceRating(db, { task_id: pier.id })
await makePlaceRating(db, { task_id: quay.id, day: day(1), rating: 3.9, user_rating_count: 12 })

test('the places come by their number of ratings, and the history of the first is shown', async () => {
  const { places, shown } = await historyOf(tenant.id)
  expect(places.map(({ task_id }) => task_id)).toEqual([pier.id, quay.id, unrated.id])
  expect(shown).toEqual({
    task_id: pier.id,
    place_id: 'ChIJpier',
    place_name: 'Pier',
    place_address: null,
    rating: 4.6,
    user_rating_count: 312,
    google_maps_uri: 'https://maps.example/pier',
    attributions: [],
    from: isoDay(29),
    to: isoDay(0),
    days: [
      { day: isoDay(29), rating: 4.5, user_rating_count: 300 },
      { day: isoDay(0), rating: 4.6, user_rating_count: 312 },
    ],
  })
})

test('the history of another place of the tenant is shown when asked for', async () => {
  expect((await historyOf(tenant.id, `?task_id=${quay.id}`)).shown).toMatchObject({
    task_id: quay.id,
    days: [{ day: isoDay(1), rating: 3.9, user_rating_count: 12 }],
  })
  expect((await historyOf(tenant.id, `?task_id=${unrated.id}`)).shown).toMatchObject({ rating: null, days: [] })
  expect((await historyOf(tenant.id, `?task_id=${neverRun.id}`)).shown).toBeNull()
})

test('a tenant without places has no history, and an unknown tenant is not found', async () => {
  const { id } = await makeTenant(db)
  expect(await historyOf(id)).toEqual({ places: [], shown: null })
  expect((await get(crypto.randomUUID())).statusCode).toBe(404)
})

test('a change of the place deletes the history', async () => {
  const task = await newTask(pulled, { extra_data: { place_id: 'ChIJbefore' } })
  await makePlaceRating(db, { task_id: task.id })
  const url = `/api/v1/admin/tasks/${task.id}`
  const moved = await call({ method: 'PUT', url, body: { extra_data: { place_id: 'ChIJafter' } } })
  expect(moved.statusCode).toBe(200)
  const { rows } = await sql`select from place_ratings where task_id = ${task.id}`.execute(db)
  expect(rows).toEqual([])
})
