import type { TenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const tenants = '/api/v1/admin/tenants'
const get = (id: string) => admin.call({ method: 'GET', url: `${tenants}/${id}/calls` })
const callsOf = async (id: string): Promise<TenantCalls> => (await get(id)).json()

async function checked(api_key_id: string, outcome: KeyOutcome, count: number, at = clock.at): Promise<void> {
  const hour = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000)
  await db.insertInto('api_key_hours').values({ api_key_id, hour, outcome, count }).execute()
  const day = at.toISOString().slice(0, 10)
  await db.insertInto('api_key_outcomes').values({ api_key_id, day, outcome, count, last_at: at }).execute()
}

test('sums the calls of all keys of one tenant by hour and day, deleted keys included', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const [first, second] = [await makeApiKey(db, { tenant_id }), await makeApiKey(db, { tenant_id })]
  await checked(first.id, 'valid', 5)
  await checked(second.id, 'valid', 7)
  await checked(second.id, 'expired', 2)
  await checked((await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })).id, 'valid', 99)
  await admin.call({ method: 'DELETE', url: `/api/v1/admin/api-keys/${second.id}` })
  const { hours, days } = await callsOf(tenant_id)
  expect([hours.length, hours[22]?.counts, hours[23]?.counts]).toEqual([24, {}, { valid: 12, expired: 2 }])
  expect([days.length, days[28]?.counts, days[29]?.counts]).toEqual([30, {}, { valid: 12, expired: 2 }])
})

test('counts the working keys, and those that were accepted in the last hour', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const used = async (outcome: KeyOutcome, minutes: number) => {
    const key = await makeApiKey(db, { tenant_id })
    await sql`
      insert into api_key_outcomes (api_key_id, day, outcome, count, last_at)
      select ${key.id}, (at at time zone 'UTC')::date, ${outcome}, 1, at
      from (select now() - ${minutes}::int * interval '1 minute' as at) as moment`.execute(db)
    return key
  }
  await used('valid', 5)
  await used('valid', 65)
  await used('origin_refused', 5)
  const { id } = await used('valid', 5)
  await admin.call({ method: 'PATCH', url: `/api/v1/admin/api-keys/${id}/toggle`, body: { is_active: false } })
  expect(await callsOf(tenant_id)).toMatchObject({ working_key_count: 3, used_key_count: 1, inactive_since: null })
})

test('an inactive tenant has the time of its deactivation and the calls refused since', async () => {
  const { id } = await makeTenant(db)
  const key = await makeApiKey(db, { tenant_id: id })
  await checked(key.id, 'tenant_inactive', 100, new Date(clock.at.getTime() - 86_400_000))
  const setStatus = (status: string) => admin.call({ method: 'PUT', url: `${tenants}/${id}`, body: { status } })
  await setStatus('inactive')
  await checked(key.id, 'tenant_inactive', 760)
  await checked(key.id, 'expired', 3)
  expect(await callsOf(id)).toMatchObject({
    working_key_count: 1,
    inactive_since: clock.at.toISOString(),
    refused_since: 760,
  })
  await setStatus('active')
  expect(await callsOf(id)).toMatchObject({ inactive_since: null, refused_since: 0 })
})

test('a tenant that is inactive since its creation has no known time, and an unknown tenant is a 404', async () => {
  const { id } = await makeTenant(db, { status: 'inactive' })
  expect(await callsOf(id)).toMatchObject({ inactive_since: null, refused_since: 0, working_key_count: 0 })
  expect((await get(crypto.randomUUID())).json()).toEqual({ detail: 'Tenant not found' })
  expect((await get('1')).statusCode).toBe(422)
})
