import type { TenantHealth } from '@switchboard/contract/tenants/tenant-health'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { makeApiKey, makeTask, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const tenants = '/api/v1/admin/tenants'
const get = (id: string) => admin.call({ method: 'GET', url: `${tenants}/${id}/health` })
const healthOf = async (id: string): Promise<TenantHealth> => (await get(id)).json()

const checked = async (id: string, outcome: KeyOutcome, count: number, at = clock.at) =>
  await makeCalls(db, id, outcome, { count, at })

test('counts the working live keys, and returns the last accepted call with one of them', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const used = async (outcome: KeyOutcome, minutes: number) => {
    const key = await makeApiKey(db, { tenant_id })
    await checked(key.id, outcome, 1, new Date(Date.now() - minutes * 60_000))
    return key
  }
  const testKey = await makeApiKey(db, { tenant_id, environment: 'test' })
  await checked(testKey.id, 'valid', 1)
  await used('origin_refused', 1)
  expect(await healthOf(tenant_id)).toMatchObject({ working_key_count: 1, last_used_at: null })
  await used('valid', 95)
  await used('valid', 65)
  const { id } = await used('valid', 5)
  await admin.call({ method: 'PATCH', url: `/api/v1/admin/api-keys/${id}/toggle`, body: { is_active: false } })
  const { last_used_at, ...health } = await healthOf(tenant_id)
  expect(health).toMatchObject({ working_key_count: 3, inactive_since: null })
  const minutesAgo = (Date.now() - Date.parse(last_used_at ?? '')) / 60_000
  expect([minutesAgo > 64, minutesAgo < 70]).toEqual([true, true])
})

test('a suspended tenant has the time, the admin, the calls refused since, and its tasks', async () => {
  const { id } = await makeTenant(db)
  const key = await makeApiKey(db, { tenant_id: id })
  await makeTask(db, { tenant_id: id })
  await makeTask(db, { tenant_id: id, is_paused: true })
  await checked(key.id, 'tenant_inactive', 100, new Date(clock.at.getTime() - 86_400_000))
  const setStatus = (status: string) => admin.call({ method: 'PUT', url: `${tenants}/${id}`, body: { status } })
  await setStatus('inactive')
  await checked(key.id, 'tenant_inactive', 760)
  await checked(key.id, 'expired', 3)
  expect(await healthOf(id)).toMatchObject({
    working_key_count: 1,
    inactive_since: clock.at.toISOString(),
    suspended_by: 'ada@example.com',
    refused_since: 760,
    scheduled_task_count: 1,
  })
  await setStatus('active')
  expect(await healthOf(id)).toMatchObject({ inactive_since: null, suspended_by: null, refused_since: 0 })
})

test('a tenant that is inactive since its creation has no known time, and an unknown tenant is a 404', async () => {
  const { id } = await makeTenant(db, { status: 'inactive' })
  expect(await healthOf(id)).toMatchObject({ inactive_since: null, refused_since: 0, working_key_count: 0 })
  expect((await get(crypto.randomUUID())).json()).toMatchObject({ detail: 'Tenant not found' })
  expect((await get('1')).statusCode).toBe(422)
})

test('counts the activity of one tenant, a rotation as one row', async () => {
  const { id } = await makeTenant(db)
  await makeTenant(db)
  expect((await healthOf(id)).activity_count).toBe(0)
  const created = await admin.call({
    method: 'POST',
    url: '/api/v1/admin/api-keys',
    body: { tenant_id: id, name: 'Site' },
  })
  const rotation = {
    method: 'POST',
    url: `/api/v1/admin/api-keys/${created.json().id}/rotate`,
    body: { grace_seconds: 0 },
  } as const
  expect((await admin.call(rotation)).statusCode).toBe(201)
  const rows = await admin.call({ method: 'GET', url: `/api/v1/admin/audit?tenant_id=${id}` })
  expect([rows.json().length, (await healthOf(id)).activity_count]).toEqual([3, 2])
})
