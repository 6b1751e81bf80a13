import { makeApiKey, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const ada = await api.signIn('ada@example.com')
const url = '/api/v1/admin'

type Noun = 'tenants' | 'users' | 'api_keys' | 'tasks'

/** The path of each list, and a call that changes a record. */
const NOUNS = {
  tenants: { path: 'tenants', method: 'PUT', body: { goal: 'Sell tea' } },
  users: { path: 'tenant-admins', method: 'PATCH', body: { name: 'Grace' } },
  api_keys: { path: 'api-keys', method: 'PATCH', body: { name: 'Renamed' } },
  tasks: { path: 'tasks', method: 'PUT', body: { is_paused: true } },
} as const satisfies Record<Noun, unknown>

async function makeOld(noun: Noun) {
  const tenant = await makeTenant(db)
  const tenant_id = tenant.id
  const make = {
    tenants: async () => tenant,
    users: () => makeUser(db, { tenant_id, role: 'user' }),
    api_keys: () => makeApiKey(db, { tenant_id }),
    tasks: () => makeTask(db, { tenant_id }),
  }
  const { id } = await make[noun]()
  await sql`update ${sql.table(noun)} set updated_at = now() - interval '1 day' where id = ${id}`.execute(db)
  return { id, tenant_id }
}

describe.for(['tenants', 'users', 'api_keys', 'tasks'] as const)('updated_since in the list of %s', (noun) => {
  const { path, method, body } = NOUNS[noun]
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const updated = async (query = ''): Promise<string[]> => {
    const answer = await ada.call({ method: 'GET', url: `${url}/${path}?updated_since=${since}${query}` })
    return answer.json().map((row: { id: string }) => row.id)
  }

  test('finds changed, deleted and restored records', async () => {
    const { id, tenant_id } = await makeOld(noun)
    expect(await updated()).not.toContain(id)
    expect((await ada.call({ method, url: `${url}/${path}/${id}`, body })).statusCode).toBe(200)
    expect(await updated('&limit=200&sort=-updated_at')).toContain(id)

    await sql`update ${sql.table(noun)} set updated_at = now() - interval '1 day' where id = ${id}`.execute(db)
    await ada.call({
      method: 'DELETE',
      url: noun === 'tasks' ? `${url}/tasks/${tenant_id}/schedule/${id}` : `${url}/${path}/${id}`,
    })
    expect(await updated('&deleted=true')).toContain(id)
    expect(await updated()).not.toContain(id)
    await ada.call({ method: 'POST', url: `${url}/${path}/${id}/restore` })
    expect(await updated('&deleted=true')).not.toContain(id)
    expect(await updated()).toContain(id)
  })

  test('does not count what no one changed', async () => {
    const { id, tenant_id } = await makeOld(noun)
    await makeUser(db, { tenant_id, role: 'admin' })
    await db.updateTable('api_keys').set({ last_used_at: new Date() }).where('tenant_id', '=', tenant_id).execute()
    await db.updateTable('users').set({ last_sign_in_at: new Date() }).where('tenant_id', '=', tenant_id).execute()
    await db.updateTable('tasks').set({ last_run: new Date() }).where('tenant_id', '=', tenant_id).execute()
    expect(await updated()).not.toContain(id)
  })
})

test('the records of a restored tenant were updated, so that a copy gets them again', async () => {
  const { id, tenant_id } = await makeOld('users')
  await ada.call({ method: 'DELETE', url: `${url}/tenants/${tenant_id}` })
  await ada.call({ method: 'POST', url: `${url}/tenants/${tenant_id}/restore` })
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const answer = await ada.call({
    method: 'GET',
    url: `${url}/tenant-admins?tenant_id=${tenant_id}&updated_since=${since}`,
  })
  expect(answer.json()).toMatchObject([{ id }])
})
