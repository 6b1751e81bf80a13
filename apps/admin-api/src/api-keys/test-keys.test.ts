import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/api-keys'
const get = async (address: string) => await admin.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${url}?limit=50&${query}`)
const idsOf = (answer: { json: () => { id: string }[] }) => answer.json().map(({ id }) => id)

test('the filter by environment, and a search for a prefix, find the keys of one environment', async () => {
  const tenant_id = (await makeTenant(db)).id
  const live = await makeApiKey(db, { tenant_id, name: 'Live one' })
  const tests = await makeApiKey(db, {
    tenant_id,
    name: 'Test one',
    environment: 'test',
    allowed_origins: ['https://t.example'],
  })
  for (const [query, found] of [
    ['environment=test', tests],
    ['environment=live', live],
    ['q=sb_test_', tests],
    ['q=sb_live_', live],
    [`q=sb_test_${tests.key_start}`, tests],
  ] as const) {
    const answer = await list(`tenant_id=${tenant_id}&${query}`)
    expect([idsOf(answer), answer.headers['x-total-count']]).toEqual([[found.id], '1'])
  }
  expect((await get(`${url}/ids?environment=test`)).json()).toEqual([tests.id])
  const file = await admin.call({ method: 'POST', url: `${url}/export?environment=test` })
  expect(file.headers['x-export-rows']).toBe('1')
  expect(file.body).toContain('active,Test one,,test,https://t.example,')
  expect((await list('environment=staging')).statusCode).toBe(422)
})

test('a test key never needs attention', async () => {
  const soon = new Date(Date.now() + 86_400_000)
  const { id: tenant_id } = await makeTenant(db)
  const { id } = await makeApiKey(db, { tenant_id, environment: 'test', expires_at: soon })
  await makeCalls(db, id, 'origin_refused')
  expect((await get('/api/v1/admin/analytics/attention')).json()).toMatchObject({
    keys_expiring: { count: 0 },
    keys_refused: { count: 0 },
  })
  for (const filter of ['keys_refused', 'keys_expiring']) {
    expect(idsOf(await list(`attention=${filter}`))).toEqual([])
    expect((await get(`/api/v1/admin/tenants?limit=50&attention=${filter}`)).json()).toEqual([])
  }
})
