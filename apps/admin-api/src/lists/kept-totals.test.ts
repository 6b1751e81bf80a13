import { makeAdmin, makeManyTenants, makeTenant } from '@switchboard/database/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, signIn } = await startTestApi()
const ada = await signIn('ada@example.com')
const total = async (list: string) =>
  (await ada.call({ method: 'GET', url: `/api/v1/admin/${list}limit=1` })).headers['x-total-count']

test('whole lists tell how many rows there are, as they come and go', async () => {
  const { id: tenant_id } = await makeTenant(db)
  await makeTenant(db, { status: 'inactive' })
  const { id } = await makeAdmin(db, { tenant_id, role: 'user' })
  await ada.call({ method: 'DELETE', url: `/api/v1/admin/tenant-admins/${id}` })
  expect([await total('tenants?'), await total('tenant-admins?')]).toEqual(['2', '1'])
  const rows = await db.selectFrom('audit_log').select('seq').execute()
  expect(rows.length).toBeGreaterThan(1)
  expect(await total('audit?')).toBe(String(rows.length))
})

test('totals are exact to 10,000, then 10000+', async () => {
  const { length } = await db.selectFrom('tenants').select('id').execute()
  await makeManyTenants(db, 10_000 - length)
  expect(await total('tenants?')).toBe('10000')
  await makeTenant(db, { name: 'The last one' })
  expect(await total('tenants?')).toBe('10000+')
  expect(await total('tenants?q=the+last+one&')).toBe('1')
})
