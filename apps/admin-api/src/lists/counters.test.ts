import { makeUser, makeManyTenants, makeTask, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, signIn } = await startTestApi()
const ada = await signIn('ada@example.com')
const total = async (list: string) =>
  (await ada.call({ method: 'GET', url: `/api/v1/admin/${list}limit=1` })).headers['x-total-count']

test('the total of a whole list follows every insert and delete', async () => {
  const { id: tenant_id } = await makeTenant(db)
  await makeTenant(db, { status: 'inactive' })
  const { id } = await makeUser(db, { tenant_id, role: 'user' })
  await ada.call({ method: 'DELETE', url: `/api/v1/admin/tenant-admins/${id}` })
  expect([await total('tenants?'), await total('tenant-admins?')]).toEqual(['2', '1'])
  const rows = await db.selectFrom('audit_entries').select('seq').execute()
  expect(rows.length).toBeGreaterThan(1)
  expect(await total('audit?')).toBe(String(rows.length))
})

test.for([
  'tenants?status=active&',
  'tenants?status=inactive&',
  'tenants?tenant_type=product&',
  'tenants?tenant_type=service&',
  'tenants?tenant_type=service&status=inactive&',
  'tenants?attention=no_active_admin&',
  'tenants?attention=no_active_admin&tenant_type=product&',
  'tenants?attention=keys_expiring&',
  'tenants?created_from=2026-01-01&',
  'tenant-admins?role=manager&',
  'tenant-admins?role=super_admin&',
  'tenant-admins?is_active=false&',
  'tenant-admins?role=manager&is_active=false&',
  'tasks?',
  'tasks?state=on_schedule&',
  'tasks?state=paused&',
  'tasks?state=failing&',
  'tasks?state=tenant_inactive&',
  'tasks?frequency=weekly&',
  'tasks?frequency=weekly&state=paused&',
])('of %s, the total is the number of its rows', async (narrowed) => {
  const { id: tenant_id } = await makeTenant(db, { tenant_type: 'service', status: 'inactive' })
  const active = await makeTenant(db, { tenant_type: 'product' })
  await makeUser(db, { tenant_id, role: 'manager', is_active: false })
  await makeUser(db, { tenant_id, role: 'manager' })
  await makeTask(db, { tenant_id })
  await makeTask(db, { tenant_id: active.id })
  await makeTask(db, { tenant_id: active.id, is_paused: true, frequency: 'weekly' })
  await makeTask(db, { tenant_id: active.id, last_outcome: 'failed' })
  const rows: unknown[] = (await ada.call({ method: 'GET', url: `/api/v1/admin/${narrowed}` })).json()
  expect(await total(narrowed)).toBe(String(rows.length))
  if (!narrowed.includes('keys_expiring')) expect(rows.length).toBeGreaterThan(0)
})

test('totals are exact to 10,000, then 10000+', async () => {
  const { length } = await db.selectFrom('tenants').select('id').execute()
  await makeManyTenants(db, 10_000 - length)
  expect(await total('tenants?')).toBe('10000')
  await makeTenant(db, { name: 'The last one' })
  expect(await total('tenants?')).toBe('10000+')
  expect(await total('tenants?q=the+last+one&')).toBe('1')
})
