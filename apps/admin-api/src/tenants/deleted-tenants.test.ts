import { makeApiKey, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { recount } from '@switchboard/database/recount'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tenants'

const remove = (id: string) => admin.call({ method: 'DELETE', url: `${url}/${id}` })
const restore = (id: string) => admin.call({ method: 'POST', url: `${url}/${id}/restore` })
const purge = (id: string) => admin.call({ method: 'POST', url: `${url}/${id}/purge` })
const get = async (query: string) => (await admin.call({ method: 'GET', url: `/api/v1/admin/${query}` })).json()
const doneTo = async (id: string) => (await api.doneTo(id)).map(({ action }) => action)
const create = (subdomain: string) =>
  admin.call({ method: 'POST', url, body: { name: 'Another', subdomain, tenant_type: 'product' } })

/** A tenant with two users, a key and a task. */
async function makeCustomer(fields: Parameters<typeof makeTenant>[1] = {}) {
  const tenant = await makeTenant(db, fields)
  const tenant_id = tenant.id
  const user = await makeUser(db, { tenant_id, role: 'admin' })
  await makeUser(db, { tenant_id, role: 'user' })
  const key = await makeApiKey(db, { tenant_id })
  const task = await makeTask(db, { tenant_id })
  return { tenant, user, key, task }
}

async function deletedCustomer(fields: Parameters<typeof makeTenant>[1] = {}) {
  const customer = await makeCustomer(fields)
  expect((await remove(customer.tenant.id)).statusCode).toBe(204)
  return customer
}

describe('a deleted tenant', () => {
  test('is in no list, count, search or figure, and each of its records is a 404', async () => {
    const figures = async () => [
      await get('analytics/users'),
      await get('analytics/tenants'),
      await get('analytics/attention'),
      await get('analytics/trends'),
    ]
    const before = await figures()
    const { tenant, user, key, task } = await makeCustomer()
    expect(await figures()).not.toEqual(before)
    await remove(tenant.id)
    expect(await figures()).toEqual(before)
    for (const list of ['tenants', 'tenant-admins', 'api-keys', 'tasks'])
      expect(JSON.stringify(await get(`${list}?limit=200`))).not.toContain(tenant.id)
    const found = await admin.call({ method: 'POST', url: '/api/v1/admin/search', body: { q: tenant.name } })
    expect(found.json().tenants).toEqual([])
    for (const path of [
      `tenants/${tenant.id}`,
      `tenant-admins/${user.id}`,
      `api-keys/${key.id}/record`,
      `tasks/${task.id}`,
    ])
      expect((await admin.call({ method: 'GET', url: `/api/v1/admin/${path}` })).statusCode).toBe(404)
    expect(await recount(db)).toEqual([])
  })

  test('is only in the list with the filter "deleted", with its counts, search, sort and file', async () => {
    const [one, other] = [
      await deletedCustomer({ name: 'Deleted Harbor', status: 'inactive', subdomain: 'deleted-harbor' }),
      await deletedCustomer({ name: 'Deleted Bakery' }),
    ]
    const answer = await admin.call({ method: 'GET', url: `${url}?deleted=true&q=Deleted&sort=name&limit=1` })
    const [row] = answer.json()
    expect(answer.headers['x-total-count']).toBe('2')
    expect(row).toMatchObject({
      id: other.tenant.id,
      admin_count: 2,
      api_key_count: 1,
      task_count: 1,
      status: 'active',
    })
    expect(new Date(row.deleted_at).getTime()).toBeGreaterThan(Date.now() - 60_000)
    expect(await get('tenants?deleted=true&q=deleted-harbor')).toMatchObject([
      { id: one.tenant.id, status: 'inactive' },
    ])
    expect(await get(`tenants?id=${one.tenant.id}`)).toEqual([])
    const file = await admin.call({ method: 'POST', url: `${url}/export?deleted=true&q=Deleted` })
    expect(file.headers['x-export-rows']).toBe('2')
  })

  test('holds its subdomain and the email addresses of its users', async () => {
    const { user } = await deletedCustomer({ subdomain: 'held-harbor' })
    expect((await create('held-harbor')).json()).toMatchObject({
      detail: 'A deleted tenant holds this subdomain. Restore the tenant, or delete it permanently.',
    })
    const { id } = await makeTenant(db)
    const mine = await makeUser(db, { tenant_id: id, role: 'user' })
    const answer = await admin.call({
      method: 'PATCH',
      url: `/api/v1/admin/tenant-admins/${mine.id}`,
      body: { email: user.email.toUpperCase() },
    })
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      'A user of a deleted tenant has this email address.',
    ])
  })

  test('cannot be changed, and gets no new records', async () => {
    const { tenant } = await deletedCustomer()
    const { id: tenant_id } = tenant
    expect((await admin.call({ method: 'PUT', url: `${url}/${tenant_id}`, body: { goal: 'sell' } })).statusCode).toBe(
      404,
    )
    expect((await remove(tenant_id)).statusCode).toBe(404)
    const key = await admin.call({ method: 'POST', url: '/api/v1/admin/api-keys', body: { tenant_id, name: 'Late' } })
    expect(key.statusCode).toBe(404)
  })
})

describe('a restore', () => {
  test('brings back every record and count as it was, once, and is audited', async () => {
    const { tenant, user, key, task } = await makeCustomer({ name: 'Returned Harbor' })
    const rows = async () =>
      [
        await db.selectFrom('tenants').selectAll().where('id', '=', tenant.id).execute(),
        await db.selectFrom('users').selectAll().where('tenant_id', '=', tenant.id).orderBy('id').execute(),
        await db.selectFrom('api_keys').selectAll().where('id', '=', key.id).execute(),
        await db.selectFrom('tasks').selectAll().where('id', '=', task.id).execute(),
        // A restore is an update.
      ].map((table) => table.map((row) => ({ ...row, updated_at: '' })))
    const before = await rows()
    await remove(tenant.id)
    expect(await rows()).toEqual([[], [], [], []])
    const answers = await Promise.all([restore(tenant.id), restore(tenant.id)])
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        200,
        { id: tenant.id, deleted_at: null, admin_count: 2 },
      ])
    expect(await rows()).toEqual(before)
    expect(await get('tenants?deleted=true&q=Returned')).toEqual([])
    expect(await recount(db)).toEqual([])
    expect(await doneTo(tenant.id)).toEqual(['tenants.delete', 'tenants.restore'])
    expect((await get(`tenant-admins/${user.id}`)).email).toBe(user.email)
  })

  test('of many tenants, also of one that is restored already', async () => {
    const ids = [(await deletedCustomer()).tenant.id, (await deletedCustomer()).tenant.id, (await makeTenant(db)).id]
    const body = { action: 'restore', ids }
    const answer = await admin.call({ method: 'POST', url: `${url}/bulk?deleted=true`, body })
    expect(answer.json().results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'done',
      'done',
      'refused',
    ])
    expect((await get(`tenants?id=${ids[0]}`))[0].id).toBe(ids[0])
  })

  test('gives a column of a later release its default', async () => {
    const { tenant } = await deletedCustomer()
    await sql`alter table users add column nickname text not null default 'none'`.execute(db)
    expect((await restore(tenant.id)).statusCode).toBe(200)
    const { rows } = await sql`select distinct nickname from users where tenant_id = ${tenant.id}`.execute(db)
    expect(rows).toEqual([{ nickname: 'none' }])
    await sql`alter table users drop column nickname`.execute(db)
  })

  test('of a tenant that is not deleted changes nothing', async () => {
    const tenant = await makeTenant(db)
    const rows = () => db.selectFrom('tenants').selectAll().where('id', '=', tenant.id).execute()
    const before = await rows()
    const answer = await restore(tenant.id)
    expect([answer.statusCode, answer.json().id]).toEqual([200, tenant.id])
    expect([await rows(), await doneTo(tenant.id)]).toEqual([before, []])
  })

  test('of an unknown tenant is a 404', async () => {
    expect((await restore(crypto.randomUUID())).json()).toMatchObject({ detail: 'Deleted tenant not found' })
  })
})

describe('a permanent deletion', () => {
  test('leaves no way back, frees the subdomain, and is audited', async () => {
    const { tenant } = await deletedCustomer({ subdomain: 'freed-harbor' })
    expect((await purge(tenant.id)).statusCode).toBe(204)
    expect((await purge(tenant.id)).statusCode).toBe(404)
    expect((await restore(tenant.id)).statusCode).toBe(404)
    expect(await get(`tenants?deleted=true&id=${tenant.id}`)).toEqual([])
    expect((await create('freed-harbor')).statusCode).toBe(201)
    expect(await doneTo(tenant.id)).toEqual(['tenants.delete', 'tenants.purge'])
  })

  test('of a tenant that is not deleted is a 404', async () => {
    const { id } = await makeTenant(db)
    expect((await purge(id)).json()).toMatchObject({ detail: 'Deleted tenant not found' })
    expect((await get(`tenants/${id}`)).id).toBe(id)
  })
})

test('a subdomain and a deletion at the same time: the deleted tenant keeps the subdomain', async () => {
  for (let n = 0; n < 10; n += 1) {
    const { tenant } = await makeCustomer({ subdomain: `raced-${n}` })
    const [, created] = await Promise.all([remove(tenant.id), create(`raced-${n}`)])
    expect(created.statusCode).toBe(409)
    expect((await restore(tenant.id)).statusCode).toBe(200)
  }
})
