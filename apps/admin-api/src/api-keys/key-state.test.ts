import { KEY_STATES, keyState, type KeyState } from '@switchboard/contract/api-keys/key-state'
import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

// The rule of the contract and the conditions in SQL, over all combinations of what the state of a key depends on.

const api = await startTestApi()
const { db } = api
const admin = await api.signIn()
const DAY_MS = 86_400_000
const now = Date.now()
const at = (days: number) => new Date(now + days * DAY_MS)

const tenants = [await makeTenant(db, { status: 'active' }), await makeTenant(db, { status: 'inactive' })]
for (const { id: tenant_id } of tenants)
  for (const expires_at of [null, at(-1), at(13), at(15)])
    for (const grace_ends_at of expires_at === null ? [null] : [null, expires_at])
      for (const [is_active, revoked_at] of [
        [true, null],
        [false, null],
        [false, at(-2)],
      ] as const)
        await makeApiKey(db, { tenant_id, expires_at, grace_ends_at, is_active, revoked_at })

const list = async (query: string): Promise<ApiKeyRow[]> =>
  (await admin.call({ method: 'GET', url: `/api/v1/admin/api-keys?limit=200&${query}` })).json()
const stateOf = (key: ApiKeyRow) => keyState(key, { status: key.tenant_status }, now)
const keys = await list('')

test('the combinations have every state', () => {
  expect(keys).toHaveLength(42)
  expect(new Set(keys.map(stateOf))).toEqual(new Set(KEY_STATES))
})

test.for(KEY_STATES)('the filter finds the keys that are %s', async (state) => {
  const expected = keys.filter((key) => stateOf(key) === state).map(({ id }) => id)
  expect((await list(`state=${state}`)).map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
})

const WORKING: readonly KeyState[] = ['working', 'expiring', 'in_grace']

test('the filter for all working states finds the keys that ai-api accepts', async () => {
  const expected = keys.filter((key) => WORKING.includes(stateOf(key))).map(({ id }) => id)
  expect((await list(`state=${WORKING.join(',')}`)).map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
})

test('the sort by state has the order of the contract', async () => {
  const places = (await list('sort=state')).map((key) => KEY_STATES.indexOf(stateOf(key)))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})

test('the file names the state of every key', async () => {
  const file = await admin.call({ method: 'POST', url: '/api/v1/admin/api-keys/export' })
  const [head = '', ...records] = file.body.slice(1).trimEnd().split('\r\n')
  const columns = head.split(',')
  const states = records.map((record) => {
    const cells = record.split(',')
    return [cells[columns.indexOf('id')], cells[columns.indexOf('state')]]
  })
  expect(Object.fromEntries(states)).toEqual(Object.fromEntries(keys.map((key) => [key.id, stateOf(key)])))
})

test('the working keys of a tenant are counted by the same rule', async () => {
  for (const { id } of tenants) {
    const [tenant] = (await admin.call({ method: 'GET', url: `/api/v1/admin/tenants?limit=1&id=${id}` })).json()
    const working = keys.filter((key) => key.tenant_id === id && WORKING.includes(stateOf(key)))
    expect(tenant.working_api_key_count).toBe(working.length)
  }
})
