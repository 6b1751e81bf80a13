import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { TenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const tenants = '/api/v1/admin/tenants'
const get = (id: string) => admin.call({ method: 'GET', url: `${tenants}/${id}/calls` })
const callsOf = async (id: string): Promise<TenantCalls> => (await get(id)).json()

const checked = async (id: string, outcome: KeyOutcome, count: number) =>
  await makeCalls(db, id, outcome, { count, at: clock.at })

test('sums the calls of all keys of one tenant by day, without deleted keys', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const [first, second] = [await makeApiKey(db, { tenant_id }), await makeApiKey(db, { tenant_id })]
  await checked(first.id, 'valid', 5)
  await checked(second.id, 'valid', 7)
  await checked(second.id, 'expired', 2)
  await checked((await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })).id, 'valid', 99)
  await admin.call({ method: 'DELETE', url: `/api/v1/admin/api-keys/${second.id}` })
  const { days } = await callsOf(tenant_id)
  expect([days.length, days[88]?.counts, days[89]?.counts]).toEqual([90, {}, { valid: 5 }])
})

test('leaves test keys out', async () => {
  const { id: tenant_id } = await makeTenant(db)
  await checked((await makeApiKey(db, { tenant_id })).id, 'valid', 5)
  await checked((await makeApiKey(db, { tenant_id, environment: 'test' })).id, 'valid', 70)
  const { days } = await callsOf(tenant_id)
  expect(days[89]?.counts).toEqual({ valid: 5 })
})

test('a tenant without keys has no calls, and an unknown tenant is a 404', async () => {
  const { days } = await callsOf((await makeTenant(db)).id)
  expect(days.every(({ counts }) => Object.keys(counts).length === 0)).toBe(true)
  expect((await get(crypto.randomUUID())).json()).toMatchObject({ detail: 'Tenant not found' })
  expect((await get('1')).statusCode).toBe(422)
})
