import { createServer } from 'node:http'
import type { ReviewPhoto } from '@switchboard/contract/reviews'
import { makeReview, makeTask, makeTenant } from '@switchboard/testing/factories'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { createPhotosClient } from '@switchboard/places/photos.client'
import { listening } from '@switchboard/places/testing/listening'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const now = () => new Date('2026-11-20T12:00:00.000Z')
const emulator = await startMapsEmulator({ now })
/** Longer than a photo from the emulator on a busy machine, shorter than its `slow` fault. */
const TOTAL_MS = 4_000
const photos = createPhotosClient({ url: emulator.url, now, totalMs: TOTAL_MS })
const api = await startTestApi({ photos })
const { db } = api
const actor = await api.signIn()
const tenant = await makeTenant(db)
afterAll(async () => {
  await photos.close()
  await emulator.close()
})

const PULLED_AT = new Date('2026-11-20T11:00:00.000Z')
const HOST = 'https://lh3.googleusercontent.com'
const ADA = `${HOST}/a/sample-ada=s96`

const pulledTask = (fields: object = {}) =>
  makeTask(db, { tenant_id: tenant.id, last_run: PULLED_AT, are_reviews_kept: true, ...fields })
const read = (id: string) => actor.call({ method: 'GET', url: `/api/v1/admin/tasks/${id}/reviews` })

/** A task whose last run pulled a review per address, and the call for their photos. */
async function newTask(...addresses: (string | null)[]) {
  const task = await pulledTask()
  for (const [index, author_photo_uri] of addresses.entries())
    await makeReview(db, { task_id: task.id, name: `review ${index}`, rank: index + 1, author_photo_uri })
  const url = `/api/v1/admin/tasks/${task.id}/reviews/photos`
  return { task, url, ask: () => actor.call({ method: 'GET', url }) }
}
const namesIn = (fetched: ReviewPhoto[]) => fetched.map(({ name }) => name)

test('the reviews of the last run come in Google’s order, with all required attributions', async () => {
  const pulled = {
    name: 'Harbor Dental',
    business_status: 'OPERATIONAL',
    rating: 4.6,
    user_rating_count: 312,
    google_maps_uri: 'https://maps.google.com/?cid=1',
    reviews_uri: null,
    moved_place_id: null,
    attributions: [{ provider: 'Listing Co', provider_uri: null }],
  }
  const task = await pulledTask({ pulled_place: JSON.stringify(pulled) })
  await makeReview(db, { task_id: task.id, name: 'second', rank: 2, text: null, rating: 4 })
  await makeReview(db, { task_id: task.id, name: 'first', rank: 1 })
  await makeReview(db, { task_id: task.id, name: 'earlier', last_seen_at: sql<Date>`now() - interval '2 days'` })
  const answer = await read(task.id)
  expect(answer.json()).toMatchObject({
    pulled_at: PULLED_AT.toISOString(),
    is_kept: true,
    place: pulled,
    reviews: [
      { name: 'first', author_name: 'Ada Lovelace', rating: 5 },
      { name: 'second', rating: 4, text: null },
    ],
  })
  expect(answer.json().reviews).toHaveLength(2)
})

test('a review has an original text only after a translation by Google', async () => {
  const task = await pulledTask()
  await makeReview(db, { task_id: task.id, name: 'English', rank: 1, text: 'Quick.', original_text: 'Quick.' })
  await makeReview(db, { task_id: task.id, name: 'Spanish', rank: 2, text: 'Quick.', original_text: 'Rápido.' })
  await makeReview(db, { task_id: task.id, name: 'silent', rank: 3, text: null, original_text: null })
  expect((await read(task.id)).json().reviews).toMatchObject([
    { original_text: null },
    { original_text: 'Rápido.' },
    { original_text: null },
  ])
})

test('each review of the last run has the photo of its author, which must not be stored', async () => {
  const { task, ask } = await newTask(ADA, null, `${HOST}/a/sample-ben=s96`)
  await makeReview(db, { task_id: task.id, author_photo_uri: ADA, last_seen_at: new Date('2026-11-19T11:00:00.000Z') })
  const answer = await ask()
  expect([answer.statusCode, answer.headers['cache-control'], namesIn(answer.json())]).toEqual([
    200,
    'no-store',
    ['review 0', 'review 2'],
  ])
  for (const { data_uri } of answer.json()) expect(data_uri).toMatch(/^data:image\/png;base64,iVBORw0KGgo/)
})

test('unavailable photos are left out, and the log has the reason', async () => {
  const bad = ['slow', 'slow=again', 'huge_png', 'html', 'svg', 'redirect', 'place_obsolete', 'internal', 'dropped']
  const { ask } = await newTask(...bad.map((fault) => `${HOST}/a/fault_${fault}`), ADA)
  const started = performance.now()
  const answer = await ask()
  expect([answer.statusCode, namesIn(answer.json())]).toEqual([200, [`review ${bad.length}`]])
  // In parallel: one after the other, the slow photos alone would take twice the time.
  expect(performance.now() - started).toBeLessThan(2 * TOTAL_MS)
  const warnings = api.logLines.filter((line) => line.includes('a photo could not be fetched'))
  expect(warnings).toHaveLength(bad.length)
  expect(warnings.join('')).toContain('too_large (UND_ERR_RES_EXCEEDED_MAX_SIZE)')
})

test("an address that is not one of Google's photos causes no call", async () => {
  let calls = 0
  const canary = await listening(
    createServer((_request, response) => ((calls += 1), response.end('\x89PNG\r\n\x1a\n'))),
  )
  const { port } = new URL(canary)
  const { ask } = await newTask(
    `${canary}/a/sample-ada`,
    `https://127.0.0.1:${port}/a/sample-ada`,
    `//127.0.0.1:${port}/a/sample-ada`,
    `${HOST}@127.0.0.1:${port}/a/sample-ada`,
    `${HOST}.127.0.0.1.nip.io:${port}/a/sample-ada`,
    `${HOST}:${port}/a/sample-ada`,
    `${emulator.url}/a/sample-ada`,
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    '',
  )
  const answer = await ask()
  expect([answer.statusCode, answer.json(), calls]).toEqual([200, [], 0])
})

test('a task without reviews has no photos, an unknown task is not found, and strangers get nothing', async () => {
  const { url, ask } = await newTask()
  expect((await ask()).json()).toEqual([])
  const unknown = await actor.call({ method: 'GET', url: `/api/v1/admin/tasks/${crypto.randomUUID()}/reviews/photos` })
  expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { detail: 'Task not found' }])
  expect((await api.call({ method: 'GET', url })).statusCode).toBe(401)
})
