import { deleteRecord, makeApiKey, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, call: callWithoutSession, signIn } = await startTestApi()
const { call } = await signIn()
const url = '/api/v1/admin/analytics/first-steps'
const steps = async () => (await call({ method: 'GET', url })).json()

test('the first steps need a session', async () => {
  expect((await callWithoutSession({ method: 'GET', url })).statusCode).toBe(401)
})

test('each step follows from the records', async () => {
  const expected = {
    tenant: null,
    has_user: false,
    has_key: false,
    key: null,
    calls: 'none',
    has_task: false,
    ai_api_url: 'http://127.0.0.1:1',
  }
  expect(await steps()).toEqual(expected)

  await makeTenant(db, { name: 'Older', created_at: new Date('2026-01-01T00:00:00.000Z') })
  const { id, name } = await makeTenant(db, { name: 'Newest' })
  expect(await steps()).toEqual(Object.assign(expected, { tenant: { id, name } }))

  await makeUser(db, { tenant_id: id, role: 'user' })
  expect(await steps()).toEqual(Object.assign(expected, { has_user: true }))

  const key = await makeApiKey(db, {
    tenant_id: id,
    allowed_origins: ['https://a.example.com', 'https://b.example.com'],
  })
  const { key_prefix, key_start, key_last4 } = key
  const secret = { key_prefix, key_start, key_last4 }
  const shown = { id: key.id, is_working: true, ...secret, allowed_origin: 'https://a.example.com' }
  expect(await steps()).toEqual(Object.assign(expected, { has_key: true, key: shown }))

  await makeCalls(db, key.id, 'origin_refused')
  expect(await steps()).toEqual(Object.assign(expected, { calls: 'refused' }))
  await makeCalls(db, key.id, 'valid')
  expect(await steps()).toEqual(Object.assign(expected, { calls: 'accepted' }))

  await makeTask(db, { tenant_id: id })
  expect(await steps()).toEqual(Object.assign(expected, { has_task: true }))

  await db.deleteFrom('tenants').where('id', '=', id).execute()
  expect(await steps()).toMatchObject({ tenant: { name: 'Older' }, has_key: false, calls: 'none' })
})

test('a call with a test key is a first call', async () => {
  await db.deleteFrom('tenants').execute()
  const { id } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id, environment: 'test' })
  await makeCalls(db, id, 'origin_refused')
  expect(await steps()).toMatchObject({ calls: 'refused' })
  await makeCalls(db, id, 'valid')
  expect(await steps()).toMatchObject({ calls: 'accepted' })
})

test('a step done for one tenant is done, and a deleted key does not count', async () => {
  await db.deleteFrom('users').execute()
  await db.deleteFrom('tenants').execute()
  const { call: callAgain } = await signIn()
  const again = async () => (await callAgain({ method: 'GET', url })).json()
  const older = await makeTenant(db, { created_at: new Date('2026-01-01T00:00:00.000Z') })
  const newest = await makeTenant(db)
  await deleteRecord(db, 'api_keys', (await makeApiKey(db, { tenant_id: newest.id })).id)
  expect(await again()).toMatchObject({ tenant: { id: newest.id }, has_key: false, key: null })
  await makeApiKey(db, { tenant_id: older.id })
  expect(await again()).toMatchObject({ has_key: true, key: null })
  const { id } = await makeApiKey(db, { tenant_id: newest.id, allowed_origins: [] })
  expect(await again()).toMatchObject({ key: { id, is_working: true, allowed_origin: null } })
  const refused = await makeApiKey(db, { tenant_id: newest.id, is_active: false })
  expect(await again()).toMatchObject({ key: { id } })
  await deleteRecord(db, 'api_keys', id)
  expect(await again()).toMatchObject({ key: { id: refused.id, is_working: false } })
  await db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', newest.id).execute()
  const other = await makeApiKey(db, { tenant_id: newest.id })
  expect(await again()).toMatchObject({ key: { id: other.id, is_working: false } })
})
