import type { ApiKey } from '@switchboard/contract/api-keys'
import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { makeApiKey, makeManyApiKeys, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/api-keys'
await makeManyTenants(db, 3)
await makeManyApiKeys(db, 20)

const get = async (address: string) => await admin.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${url}?limit=50&${query}`)
const idsOf = (answer: { json: () => { id: string }[] }) => answer.json().map(({ id }) => id)
const rowsOf = async (query: string): Promise<ApiKeyRow[]> => (await list(query)).json()

const rotate = async ({ id }: Pick<ApiKey, 'id'>, grace_seconds = 86_400): Promise<ApiKey> =>
  (await admin.call({ method: 'POST', url: `${url}/${id}/rotate`, body: { grace_seconds } })).json()

test('folded keys are old keys of their successor, newest first, and have no separate rows', async () => {
  const tenant_id = (await makeTenant(db)).id
  const first = await makeApiKey(db, { tenant_id, created_at: api.clock.at })
  api.minutesLater(1)
  const second = await rotate(first, 0)
  api.minutesLater(1)
  const third = await rotate(second)
  await makeCalls(db, second.id, 'valid', { count: 4 })

  const folded = await list(`fold=true&tenant_id=${tenant_id}`)
  expect(folded.headers['x-total-count']).toBe('1')
  const [row, ...others]: ApiKeyRow[] = folded.json()
  expect([row?.id, others]).toEqual([third.id, []])
  expect(row?.old_keys.map(({ id }) => id)).toEqual([second.id, first.id])

  const flat = await rowsOf(`tenant_id=${tenant_id}`)
  expect(flat.map(({ id, old_keys }) => [id, old_keys])).toEqual([third, second, first].map(({ id }) => [id, []]))
  expect(row?.old_keys.map((key) => ({ ...key, old_keys: [], deleted_at: null }))).toEqual(flat.slice(1))
})

test('folded keys are rows again when their successor is deleted', async () => {
  const tenant_id = (await makeTenant(db)).id
  const old = await makeApiKey(db, { tenant_id })
  const successor = await rotate(old)
  expect(idsOf(await list(`fold=true&tenant_id=${tenant_id}`))).toEqual([successor.id])
  await admin.call({ method: 'DELETE', url: `${url}/${successor.id}` })
  expect(idsOf(await list(`fold=true&tenant_id=${tenant_id}`))).toEqual([old.id])
})

test('folded keys are counted in the total of the list without other filters', async () => {
  const flat = await list('')
  const folded = await list('fold=true')
  const old = await db.selectFrom('api_keys').selectAll().where('is_replaced', '=', true).execute()
  expect(Number(flat.headers['x-total-count'])).toBe(idsOf(await get(url)).length)
  expect(Number(folded.headers['x-total-count'])).toBe(Number(flat.headers['x-total-count']) - old.length)
})
