import { makeReview, makeTask, makeTenant } from '@switchboard/testing/factories'
import { createPhotosClient } from '@switchboard/places/photos.client'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import type { ListedReview } from '@switchboard/contract/reviews/review-list'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { idsOfAllPages } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const now = () => new Date('2026-11-20T12:00:00.000Z')
const emulator = await startMapsEmulator({ now })
const photos = createPhotosClient({ url: emulator.url, now })
afterAll(async () => {
  await photos.close()
  await emulator.close()
})
const api = await startTestApi({ photos })
const { db } = api
const actor = await api.signIn()
const url = '/api/v1/admin/reviews'
const get = (path: string) => actor.call({ method: 'GET', url: path })

const { id: tenant_id } = await makeTenant(db, { name: 'Harbor Dental' })
const other = await makeTenant(db)
const list = async (query: string): Promise<ListedReview[]> =>
  (await get(`${url}?tenant_id=${tenant_id}&${query}`)).json()
const namesOf = async (query: string) => (await list(query)).map(({ name }) => name)

const PULLED_AT = sql<Date>`now() - interval '1 hour'`
const attributions = [{ provider: 'Listing Co', provider_uri: null }]
const pulled = { last_run: PULLED_AT, are_reviews_kept: true }
const place = { place_id: 'ChIJpier_1', place_name: 'Pier Café', place_address: 'Pier 1, Austin' }
const pier = await makeTask(db, {
  ...pulled,
  tenant_id,
  extra_data: place,
  pulled_place: JSON.stringify({ name: 'PIER CAFE', attributions }),
})
const quay = await makeTask(db, { ...pulled, tenant_id, pulled_place: JSON.stringify({ name: 'Quay Bar' }) })
const elsewhere = await makeTask(db, { ...pulled, tenant_id: other.id })

const daysAgo = (days: number) => sql<Date>`now() - make_interval(days => ${days})`
const ADA = 'https://lh3.googleusercontent.com/a/sample-ada=s96'
const written = (days: number) => ({ publish_time: daysAgo(days), first_seen_at: daysAgo(days - 1) })
const low = await makeReview(db, {
  ...written(3),
  task_id: pier.id,
  name: 'low',
  author_name: 'Björn Ödegård',
  author_photo_uri: ADA,
  rating: 1,
  text: 'Cold soup.',
})
await makeReview(db, { ...written(9), task_id: pier.id, name: 'older low', rating: 2, text: null, author_name: 'Ben' })
await makeReview(db, {
  task_id: quay.id,
  name: 'translated',
  publish_time: daysAgo(40),
  first_seen_at: daysAgo(2),
  last_seen_at: daysAgo(1),
  rating: 1,
  text: 'Slow service.',
  original_text: 'Servicio lento.',
})
await makeReview(db, { ...written(20), task_id: quay.id, name: 'five', rating: 5, text: 'Warm soup, kind people.' })
const silent = await makeReview(db, { ...written(1), task_id: quay.id, name: 'silent', rating: 5, text: null })
await makeReview(db, { task_id: elsewhere.id, name: 'elsewhere', rating: 1, publish_time: daysAgo(2) })

test('the reviews of all tasks of a tenant come newest first, with their place and its attributions', async () => {
  const rows = await list('')
  expect(rows.map(({ name }) => name)).toEqual(['silent', 'low', 'older low', 'five', 'translated'])
  expect(rows[1]).toMatchObject({ id: low.id, task_id: pier.id, ...place, rating: 1, is_current: true, attributions })
  // A typed place id has the name that Google gave, and a review that Google no longer returns is marked.
  expect(rows[4]).toMatchObject({
    place_name: 'Quay Bar',
    place_address: null,
    is_current: false,
    attributions: [],
    original_text: 'Servicio lento.',
  })
  expect(rows[4]).not.toHaveProperty('search_text')
})

test.for<[string, string[]]>([
  ['-publish_time', ['silent', 'low', 'older low', 'five', 'translated']],
  ['publish_time', ['translated', 'five', 'older low', 'low', 'silent']],
  ['rating', ['low', 'translated', 'older low', 'silent', 'five']],
  ['-rating', ['silent', 'five', 'older low', 'low', 'translated']],
])('sorted by %s, with the newest first among equal ratings', async ([sort, names]) => {
  expect(await namesOf(`sort=${sort}`)).toEqual(names)
  const pages = await idsOfAllPages(get, `${url}?tenant_id=${tenant_id}&limit=2&sort=${sort}`, 'name')
  expect([pages.forwards, pages.backwards]).toEqual([names, names])
})

test.for<[string, string[]]>([
  ['q=SOUP', ['low', 'five']],
  ['q=servicio', ['translated']],
  ['q=%C3%B6degard', []],
  ['q=bj%C3%B6rn+%C3%B6deg%C3%A5rd', ['low']],
  ['q=be', ['older low']],
  ['q=100%25', []],
  ['rating=5', ['silent', 'five']],
  ['rating=3', []],
  ['rating=1&q=soup', ['low']],
  [`task_id=${quay.id}`, ['silent', 'five', 'translated']],
  [`task_id=${elsewhere.id}`, []],
  // The translated review was published before the first run could have found it: it is not new.
  ['attention=reviews_low', ['low']],
])('%s finds its reviews', async ([query, names]) => {
  expect(await namesOf(query)).toEqual(names)
})

test('the number of matching reviews is in the header, and the number of all in the health of the tenant', async () => {
  const page = await get(`${url}?tenant_id=${tenant_id}&rating=5&limit=1`)
  expect(page.headers['x-total-count']).toBe('2')
  const health = (id: string) => get(`/api/v1/admin/tenants/${id}/health`)
  expect((await health(tenant_id)).json()).toMatchObject({ review_count: 5 })
  expect((await health(other.id)).json()).toMatchObject({ review_count: 1 })
})

test.for(['', '?tenant_id=1', '&rating=0', '&rating=6', '&rating=2.5', '&sort=name', '&limit=201', '&attention=all'])(
  '%s is refused',
  async (query) => {
    const path = query.startsWith('&') ? `${url}?tenant_id=${tenant_id}${query}` : `${url}${query}`
    expect((await get(path)).statusCode).toBe(422)
  },
)

test('without a limit, the call answers the whole list, which is audited', async () => {
  const { id } = await makeTenant(db)
  const task = await makeTask(db, { ...pulled, tenant_id: id })
  await Promise.all(Array.from({ length: 51 }, () => makeReview(db, { task_id: task.id })))
  expect((await get(`${url}?tenant_id=${id}`)).json()).toHaveLength(51)
  const entries = (await get('/api/v1/admin/audit?action=reviews.list&limit=1')).json()
  expect(entries).toMatchObject([{ outcome: 'done', changed: { tenant_id: null, rows: null } }])
})

test('there is no export of reviews', async () => {
  const answer = await actor.call({ method: 'POST', url: `${url}/export?tenant_id=${tenant_id}` })
  expect(answer.statusCode).toBe(404)
})

test('photos come by the ids of reviews; unknown ids and reviews without a photo have none', async () => {
  const ids = [low.id, silent.id, crypto.randomUUID()]
  const answer = await get(`${url}/photos?ids=${ids.join(',')}`)
  expect(answer.json()).toEqual([{ id: low.id, data_uri: expect.stringMatching(/^data:image\/png;base64,/) }])
  expect(answer.headers['cache-control']).toBe('no-store')
  const many = Array.from({ length: 26 }, () => low.id).join(',')
  for (const bad of ['', 'x', many]) expect((await get(`${url}/photos?ids=${bad}`)).statusCode).toBe(422)
})

test('tenants with a new low rating need attention, and the list of tenants finds them', async () => {
  const { reviews_low } = (await get('/api/v1/admin/analytics/attention')).json()
  expect(reviews_low).toMatchObject({ count: 2, is_more: false })
  const first_seen_at = expect.any(String)
  expect(reviews_low.first).toContainEqual({
    ...place,
    id: low.id,
    tenant_id,
    tenant_name: 'Harbor Dental',
    task_id: pier.id,
    rating: 1,
    first_seen_at,
  })
  const tenants = (await get('/api/v1/admin/tenants?attention=reviews_low&limit=50')).json()
  expect(tenants.map(({ id }: { id: string }) => id).toSorted()).toEqual([tenant_id, other.id].toSorted())
})

test('the reviews of a deleted task are gone', async () => {
  const task = await makeTask(db, { ...pulled, tenant_id: other.id })
  const review = await makeReview(db, { task_id: task.id })
  const path = `/api/v1/admin/tasks/${other.id}/schedule/${task.id}`
  expect((await actor.call({ method: 'DELETE', url: path })).statusCode).toBe(200)
  const rows: ListedReview[] = (await get(`${url}?tenant_id=${other.id}`)).json()
  expect(rows.map(({ id }) => id)).not.toContain(review.id)
})
