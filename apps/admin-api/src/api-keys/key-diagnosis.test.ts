import type { KeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/api-keys'
const newKey = async (fields: Partial<Parameters<typeof makeApiKey>[1]> = {}) =>
  await makeApiKey(db, { tenant_id: (await makeTenant(db)).id, ...fields })
const get = (id: string) => admin.call({ method: 'GET', url: `${url}/${id}/diagnosis` })
const diagnosisOf = async (id: string): Promise<KeyDiagnosis> => (await get(id)).json()
const hoursAgo = (hours: number) => new Date(clock.at.getTime() - hours * 3_600_000)

test('has the calls of 24 hours and 30 days up to now, oldest first, with zeros', async () => {
  const { id } = await newKey()
  const [hour, first, before] = [hoursAgo(0), hoursAgo(23), hoursAgo(24)]
  const add = async (at: Date, outcome: 'valid' | 'expired', count: number) =>
    await makeCalls(db, id, outcome, { count, at })
  await add(hour, 'valid', 7)
  await add(hour, 'expired', 2)
  await add(first, 'valid', 1)
  await add(before, 'valid', 99)
  await add(new Date('2026-10-22T00:00:00Z'), 'valid', 5)
  await add(new Date('2026-10-21T23:00:00Z'), 'valid', 99)
  const { hours, days, key } = await diagnosisOf(id)
  expect(hours).toHaveLength(24)
  expect(hours[0]).toEqual({ at: '2026-11-19T13:00:00.000Z', counts: { valid: 1 } })
  expect(hours[1]).toEqual({ at: '2026-11-19T14:00:00.000Z', counts: {} })
  expect(hours[23]).toEqual({ at: '2026-11-20T12:00:00.000Z', counts: { valid: 7, expired: 2 } })
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({ day: '2026-10-22', counts: { valid: 5 } })
  expect(days[1]).toEqual({ day: '2026-10-23', counts: {} })
  expect(days[29]).toEqual({ day: '2026-11-20', counts: { valid: 7, expired: 2 } })
  expect(days[28]).toEqual({ day: '2026-11-19', counts: { valid: 100 } })
  expect(key).toMatchObject({ id, tenant_status: 'active', old_keys: [] })
  expect(key.recent_calls).toHaveLength(7)
})

test('has the exact last use, which is at most an hour old in the list', async () => {
  const { id, tenant_id } = await newKey()
  await makeCalls(db, id, 'valid', { at: hoursAgo(0.8) })
  await db
    .updateTable('api_keys')
    .set({ last_used_at: hoursAgo(0.8) })
    .where('id', '=', id)
    .execute()
  await makeCalls(db, id, 'expired', { at: hoursAgo(0) })
  await db
    .updateTable('api_key_calls')
    .set({ last_at: hoursAgo(0.1) })
    .where('api_key_id', '=', id)
    .where('outcome', '=', 'valid')
    .execute()
  expect((await diagnosisOf(id)).key.last_used_at).toBe(hoursAgo(0.1).toISOString())
  const listed = await admin.call({ method: 'GET', url: `${url}?tenant_id=${tenant_id}` })
  expect(listed.json()).toMatchObject([{ last_used_at: hoursAgo(0.8).toISOString() }])
})

test('names the refused origins, newest first', async () => {
  const { id } = await newKey()
  const origin = (name: string | null, hours: number) => ({
    api_key_id: id,
    origin: name,
    count: hours,
    last_at: hoursAgo(hours),
  })
  await db
    .insertInto('api_key_refused_origins')
    .values([origin('https://a.example', 3), origin(null, 1), origin('https://b.example', 2)])
    .execute()
  expect((await diagnosisOf(id)).refused_origins).toEqual([
    { origin: null, count: 1, last_at: hoursAgo(1).toISOString() },
    { origin: 'https://b.example', count: 2, last_at: hoursAgo(2).toISOString() },
    { origin: 'https://a.example', count: 3, last_at: hoursAgo(3).toISOString() },
  ])
})

const sinceOf = async (id: string) => (await diagnosisOf(id)).refused_since

test('calls are refused since the expiry, the end of grace or the revocation', async () => {
  const [expires_at, revoked_at] = [hoursAgo(5), hoursAgo(6)]
  expect(await sinceOf((await newKey()).id)).toBeNull()
  expect(await sinceOf((await newKey({ expires_at })).id)).toBe(expires_at.toISOString())
  expect(await sinceOf((await newKey({ expires_at, grace_ends_at: expires_at })).id)).toBe(expires_at.toISOString())
  expect(await sinceOf((await newKey({ expires_at, is_active: false, revoked_at })).id)).toBe(revoked_at.toISOString())
})

test('calls are refused since the key was last deactivated', async () => {
  const { id } = await newKey()
  const toggle = async () => await admin.call({ method: 'PATCH', url: `${url}/${id}/toggle` })
  await toggle()
  api.minutesLater(1)
  await toggle()
  expect(await sinceOf(id)).toBeNull()
  api.minutesLater(1)
  const at = clock.at.toISOString()
  await toggle()
  api.minutesLater(1)
  await admin.call({ method: 'PATCH', url: `${url}/${id}`, body: { name: 'Renamed' } })
  expect(await sinceOf(id)).toBe(at)
  expect(await sinceOf((await newKey({ is_active: false })).id)).toBeNull()
})

test('calls are refused since the tenant was deactivated, also in bulk', async () => {
  const { id, tenant_id } = await newKey({ is_active: false, created_at: clock.at })
  api.minutesLater(1)
  const at = clock.at.toISOString()
  const body = { action: 'suspend', ids: [tenant_id] }
  await admin.call({ method: 'POST', url: '/api/v1/admin/tenants/bulk', body })
  api.minutesLater(1)
  await admin.call({ method: 'PUT', url: `/api/v1/admin/tenants/${tenant_id}`, body: { goal: 'sell' } })
  expect(await sinceOf(id)).toBe(at)
})

test('calls are refused since the creation of a key that is younger than the deactivation', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const body = { status: 'inactive' }
  await admin.call({ method: 'PUT', url: `/api/v1/admin/tenants/${tenant_id}`, body })
  const created_at = new Date(clock.at.getTime() + 60_000)
  const { id } = await makeApiKey(db, { tenant_id, created_at })
  expect(await sinceOf(id)).toBe(created_at.toISOString())
})

test('without an entry in the audit log the time is unknown, also after earlier entries', async () => {
  const { id, tenant_id } = await newKey({ created_at: clock.at })
  const putStatus = async (status: string) =>
    await admin.call({ method: 'PUT', url: `/api/v1/admin/tenants/${tenant_id}`, body: { status } })
  const changeStatus = async () =>
    await db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', tenant_id).execute()
  await changeStatus()
  expect(await sinceOf(id)).toBeNull()
  for (const status of ['active', 'inactive', 'active']) await putStatus(status)
  await changeStatus()
  expect(await sinceOf(id)).toBeNull()
  await db.updateTable('tenants').set({ status: 'active' }).where('id', '=', tenant_id).execute()
  await admin.call({ method: 'PATCH', url: `${url}/${id}/toggle` })
  await admin.call({ method: 'PATCH', url: `${url}/${id}/toggle` })
  await db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute()
  expect(await sinceOf(id)).toBeNull()
})

test('holds the old keys of a rotation, and nothing of a deleted or unknown key', async () => {
  const { id } = await newKey()
  const body = { grace_seconds: 900 }
  const successor = (await admin.call({ method: 'POST', url: `${url}/${id}/rotate`, body })).json()
  expect((await diagnosisOf(successor.id)).key.old_keys.map((old) => old.id)).toEqual([id])
  await admin.call({ method: 'DELETE', url: `${url}/${id}` })
  expect((await diagnosisOf(successor.id)).key.old_keys).toEqual([])
  for (const unknown of [id, crypto.randomUUID()]) expect((await get(unknown)).statusCode).toBe(404)
  expect((await get('1')).statusCode).toBe(422)
})
