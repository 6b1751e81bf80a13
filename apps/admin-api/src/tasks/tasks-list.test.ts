import type { Task } from '@switchboard/contract/tasks'
import { makeManyTasks, makeManyTenants, makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn()
const url = '/api/v1/admin/tasks'
await makeManyTenants(db, 30)
await makeManyTasks(db, 500)
const zebra = await makeTenant(db, { name: 'Zebra crossing 100%', subdomain: 'zc-1' })
const paused = await makeTask(db, {
  tenant_id: zebra.id,
  frequency: 'weekly',
  is_paused: true,
  extra_data: { place_id: 'ChIJzebra_1', place_name: 'Zürich Café', place_address: 'Bahnhofstrasse 1' },
})
const failing = await makeTask(db, { tenant_id: zebra.id, last_outcome: 'failed' })
const running = await makeTask(db, { tenant_id: zebra.id })
await makeRun(db, { task_id: running.id, outcome: 'queued', finished_at: null })

const list = async (query: string) => await admin.call({ method: 'GET', url: `${url}?${query}` })
const ids = (answer: { json: () => Task[] }) => answer.json().map(({ id }) => id)
const linkOf = (answer: { headers: Record<string, unknown> }, rel: string) =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(answer.headers['link']))?.[1]

test('without parameters the whole list comes, newest first', async () => {
  const rows: Task[] = (await admin.call({ method: 'GET', url })).json()
  expect(rows).toHaveLength(503)
  const times = rows.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted().toReversed())
})

test.for(['tenant_name', '-tenant_name', 'next_run', '-next_run', 'created_at', '-created_at'])(
  'pages by %s show every row once, forwards and backwards',
  async (sort) => {
    const expected = ids(await list(`sort=${sort}`))
    const forwards: string[] = []
    const backwards: string[] = []
    let next: string | undefined = `${url}?limit=200&sort=${sort}`
    let last = next
    while (next !== undefined) {
      const page = await admin.call({ method: 'GET', url: next })
      expect(page.headers['x-total-count']).toBe('503')
      forwards.push(...ids(page))
      last = next
      next = linkOf(page, 'next')
    }
    for (let at: string | undefined = last; at !== undefined;) {
      const page = await admin.call({ method: 'GET', url: at })
      backwards.unshift(...ids(page))
      at = linkOf(page, 'prev')
    }
    expect(forwards).toEqual(expected)
    expect(backwards).toEqual(expected)
  },
)

const searches: [string, string[]][] = [
  ['ZEBRA CROSSING', [paused.id, failing.id, running.id]],
  ['zürich', [paused.id]],
  ['bahnhof', [paused.id]],
  ['ChIJzebra_1', [paused.id]],
  ['chijzebra-1', []],
  ['%%', []],
  ["'; drop table tasks; --", []],
]
test.for(searches)('the search "%s" finds its tasks', async ([term, expected]) => {
  const answer = await list(`limit=50&q=${encodeURIComponent(term)}`)
  expect(ids(answer).toSorted()).toEqual(expected.toSorted())
  expect(answer.headers['x-total-count']).toBe(String(expected.length))
})

test('the search covers the stored and the displayed name of the schedule', async () => {
  for (const term of ['pull_google_review', 'Pull Google'])
    expect((await list(`limit=1&q=${encodeURIComponent(term)}`)).headers['x-total-count']).toBe('503')
})

const filters: [string, string[]][] = [
  ['state=paused', [paused.id]],
  ['state=failing', [failing.id]],
  ['state=running', [running.id]],
  [`state=failing&tenant_id=${zebra.id}`, [failing.id]],
  [`frequency=weekly&tenant_id=${zebra.id}&q=zebra`, [paused.id]],
  [`frequency=monthly&tenant_id=${zebra.id}`, []],
]
test.for(filters)('the filter %s returns the matching tasks only', async ([query, expected]) => {
  expect(ids(await list(`limit=200&${query}`)).toSorted()).toEqual(expected.toSorted())
})

test.for([
  'limit=0',
  'limit=201',
  'sort=search_text',
  'sort=last_run',
  'state=broken',
  'frequency=hourly',
  'tenant_id=1',
  'unknown=1',
  'limit=5&cursor=x',
])('the query %s is refused', async (query) => {
  expect((await list(query)).statusCode).toBe(422)
})
