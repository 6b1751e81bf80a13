import type { ListedRun } from '@switchboard/contract/runs/run-list'
import { makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { idsOfAllPages } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn()
const url = '/api/v1/admin/tasks/runs'
const get = (path: string) => actor.call({ method: 'GET', url: path })
const list = async (query: string): Promise<ListedRun[]> => (await get(`${url}?${query}`)).json()
const idsOf = async (query: string) => (await list(query)).map(({ id }) => id)

const harbor = await makeTenant(db, { name: 'Harbor Dental' })
const bakery = await makeTenant(db, { name: 'Corner Bakery' })
const place = { place_id: 'ChIJpier_1', place_name: 'Pier Café', place_address: 'Pier 1, Austin' }
const pier = await makeTask(db, { tenant_id: harbor.id, extra_data: place })
const oven = await makeTask(db, { tenant_id: bakery.id })

const at = (day: number, ms = 0) => new Date(Date.UTC(2026, 10, day, 10) + ms)
const ended = (day: number, ms: number) => ({
  created_at: at(day),
  started_at: at(day),
  finished_at: at(day, ms),
})
const quick = await makeRun(db, { task_id: pier.id, ...ended(1, 250), reviews_returned: 5, reviews_new: 2 })
const failed = await makeRun(db, {
  task_id: pier.id,
  ...ended(2, 1_500),
  outcome: 'failed',
  reason: 'timeout',
  message: 'Google Maps did not answer in time. Try again later.',
})
const slow = await makeRun(db, { task_id: oven.id, ...ended(3, 90_000) })
const skipped = await makeRun(db, {
  task_id: oven.id,
  created_at: at(4),
  started_at: null,
  finished_at: at(4),
  outcome: 'skipped',
  reason: 'task_paused',
})
const queued = await makeRun(db, {
  task_id: oven.id,
  created_at: at(5),
  started_at: null,
  finished_at: null,
  outcome: 'queued',
})

test('all runs come newest first, with the tenant and the place of their tasks', async () => {
  const rows = await list('')
  expect(rows.map(({ id }) => id)).toEqual([queued.id, skipped.id, slow.id, failed.id, quick.id])
  expect(rows[3]).toMatchObject({
    task_id: pier.id,
    tenant_id: harbor.id,
    tenant_name: 'Harbor Dental',
    extra_data: place,
    outcome: 'failed',
    duration_ms: 1_500,
  })
  expect(rows[4]).toMatchObject({ reviews_new: 2, duration_ms: 250 })
  expect(rows[0]).not.toHaveProperty('duration')
})

test.for<[string, string[]]>([
  ['created_at', [quick.id, failed.id, slow.id, skipped.id, queued.id]],
  ['-duration', [slow.id, failed.id, quick.id]],
  ['duration', [quick.id, failed.id, slow.id]],
])('pages by %s show every run once, forwards and backwards', async ([sort, timed]) => {
  const pages = await idsOfAllPages(get, `${url}?limit=2&sort=${sort}`)
  expect(pages.forwards.filter((id) => timed.includes(id))).toEqual(timed)
  expect(pages.forwards).toHaveLength(5)
  expect(pages.backwards).toEqual(pages.forwards)
  // The runs of one tenant, in the same order.
  const own = await idsOfAllPages(get, `${url}?limit=2&sort=${sort}&tenant_id=${bakery.id}`)
  expect(own.forwards).toEqual(pages.forwards.filter((id) => [slow.id, skipped.id, queued.id].includes(id)))
  expect(own.backwards).toEqual(own.forwards)
})

test.for<[string, string[]]>([
  ['outcome=failed', [failed.id]],
  ['outcome=queued', [queued.id]],
  ['reason=task_paused', [skipped.id]],
  ['reason=timeout&outcome=skipped', []],
  [`tenant_id=${harbor.id}`, [failed.id, quick.id]],
  ['created_from=2026-11-02&created_to=2026-11-03', [slow.id, failed.id]],
  ['q=pier+caf', [failed.id, quick.id]],
  ['q=corner', [queued.id, skipped.id, slow.id]],
  ['q=ChIJpier&outcome=succeeded', [quick.id]],
  ['q=nowhere', []],
])('%s finds its runs', async ([query, ids]) => {
  expect(await idsOf(query)).toEqual(ids)
  expect(await idsOf(`${query}&limit=25`)).toEqual(ids)
})

test.for(['reason=sunspots', 'outcome=lost', 'sort=tenant_name', 'created_from=yesterday', 'page=2'])(
  '%s is refused',
  async (query) => {
    expect((await get(`${url}?${query}`)).statusCode).toBe(422)
  },
)

test('the file has the matching runs with the place in separate columns', async () => {
  const answer = await actor.call({ method: 'POST', url: `${url}/export?outcome=failed` })
  const records = parse<Record<string, string>>(answer.rawPayload, { columns: true, bom: true })
  expect(records).toMatchObject([
    { id: failed.id, tenant_name: 'Harbor Dental', place_name: 'Pier Café', reason: 'timeout', duration_ms: '1500' },
  ])
  expect(answer.headers['content-disposition']).toContain('runs-2026-11-20.csv')
})
