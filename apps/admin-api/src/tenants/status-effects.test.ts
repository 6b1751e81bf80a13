import { makeApiKey, makeTask, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')

const effectsOf = async (body: object) => {
  const answer = await admin.call({ method: 'POST', url: '/api/v1/admin/tenants/status-effects', body })
  return answer.statusCode === 200 ? answer.json() : answer.statusCode
}
const MINUTE = 60_000
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE)
const noteUse = async (id: string, outcome: 'valid' | 'expired', minutesAgo: number) =>
  await makeCalls(db, id, outcome, { at: inMinutes(-minutesAgo) })

test('the effects of a new status count working keys, keys used in the last hour and tasks that are not paused', async () => {
  const tenant = await makeTenant(db)
  const tenant_id = tenant.id
  const used = await makeApiKey(db, { tenant_id })
  const usedBefore = await makeApiKey(db, { tenant_id, expires_at: inMinutes(60) })
  const expired = await makeApiKey(db, { tenant_id, expires_at: inMinutes(-60) })
  await makeApiKey(db, { tenant_id, is_active: false })
  await makeApiKey(db, { tenant_id, is_active: false, revoked_at: inMinutes(-60) })
  await noteUse(used.id, 'valid', 10)
  await noteUse(usedBefore.id, 'valid', 61)
  await noteUse(usedBefore.id, 'expired', 1)
  await noteUse(expired.id, 'valid', 1)
  await makeTask(db, { tenant_id })
  await makeTask(db, { tenant_id, is_paused: true })
  const effects = { tenant_count: 1, api_key_count: 2, used_api_key_count: 1, task_count: 1 }
  expect(await effectsOf({ status: 'inactive', ids: [tenant_id] })).toEqual(effects)

  await db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', tenant_id).execute()
  expect(await effectsOf({ status: 'active', ids: [tenant_id] })).toEqual(effects)
})

test('tenants that have the status already, and unknown tenants, are not counted', async () => {
  const active = await makeTenant(db)
  const inactive = await makeTenant(db, { status: 'inactive' })
  for (const { id } of [active, inactive]) await makeApiKey(db, { tenant_id: id })
  const ids = [active.id, inactive.id, '6f6f1b0e-0000-4000-8000-000000000000']
  expect(await effectsOf({ status: 'inactive', ids })).toMatchObject({ tenant_count: 1, api_key_count: 1 })
  expect(await effectsOf({ status: 'active', ids })).toMatchObject({ tenant_count: 1, api_key_count: 1 })
})

test('a preview changes and audits nothing', async () => {
  const { id } = await makeTenant(db)
  await effectsOf({ status: 'inactive', ids: [id] })
  const { status, version } = await db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect({ status, version }).toEqual({ status: 'active', version: 1 })
  expect(await db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).execute()).toEqual([])
})

test.for([{ status: 'inactive' }, { status: 'inactive', ids: [] }, { status: 'gone', ids: [admin.admin.id] }])(
  'the effects of %o are refused',
  async (body) => {
    expect(await effectsOf(body)).toBe(422)
  },
)
