import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn()
const counts = async () => (await actor.call({ method: 'GET', url: '/api/v1/admin/tasks/scheduled' })).json()

test('the tasks that run are counted by frequency, without paused tasks and tasks of inactive tenants', async () => {
  expect(await counts()).toEqual({ daily: 0, weekly: 0, biweekly: 0, monthly: 0 })
  const [active, inactive] = [await makeTenant(db), await makeTenant(db, { status: 'inactive' })]
  for (const fields of [
    { tenant_id: active.id },
    { tenant_id: active.id },
    { tenant_id: active.id, frequency: 'weekly', last_outcome: 'failed' },
    { tenant_id: active.id, frequency: 'weekly', is_paused: true },
    { tenant_id: inactive.id, frequency: 'monthly' },
  ] as const)
    await makeTask(db, fields)
  expect(await counts()).toEqual({ daily: 2, weekly: 1, biweekly: 0, monthly: 0 })
})
