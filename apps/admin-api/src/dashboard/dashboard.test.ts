import { connect } from '@switchboard/database/connection/connect'
import { makeUser, makeManyUsers, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { type CompiledQuery, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'
import { analyticsOfTenants, analyticsOfUsers } from './dashboard.service.ts'

const { db, databaseUrl, clock, call: callAsNobody, signIn } = await startTestApi()
let { call } = await signIn()

beforeEach(async () => {
  await db.deleteFrom('users').execute()
  await db.deleteFrom('tenants').execute()
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  ;({ call } = await signIn())
})

const users = async () => (await call({ method: 'GET', url: '/api/v1/admin/analytics/users' })).json()
const tenants = async () => (await call({ method: 'GET', url: '/api/v1/admin/analytics/tenants' })).json()

test.each(['users', 'tenants', 'attention'])('%s need a session', async (what) => {
  expect((await callAsNobody({ method: 'GET', url: `/api/v1/admin/analytics/${what}` })).statusCode).toBe(401)
})

describe('analytics of users', () => {
  test('count all users, super admins included, by role, status and tenant', async () => {
    const small = await makeTenant(db, { name: 'Small' })
    const large = await makeTenant(db, { name: 'Large' })
    await makeTenant(db, { name: 'Empty' })
    await makeUser(db, { tenant_id: small.id, role: 'user' })
    await makeUser(db, { tenant_id: large.id, role: 'manager' })
    await makeUser(db, { tenant_id: large.id, role: 'admin', is_active: false })
    const { recent_registrations: _recent, recent_since: _since, ...found } = await users()
    expect(found).toEqual({
      total_users: 4,
      users_by_role: { super_admin: 1, support: 0, auditor: 0, admin: 1, manager: 1, user: 1 },
      users_by_status: { active: 3, inactive: 1 },
      users_by_tenant: [
        { tenant_id: large.id, tenant: 'Large', count: 2 },
        { tenant_id: small.id, tenant: 'Small', count: 1 },
      ],
    })
  })

  test('follow every change immediately', async () => {
    const tenant = await makeTenant(db)
    const body = { email: 'a@example.com', password: 'a long and odd one', role: 'manager', tenant_id: tenant.id }
    const created = await call({ method: 'POST', url: '/api/v1/admin/tenant-admins', body })
    const url = `/api/v1/admin/tenant-admins/${created.json().id}`
    expect(await users()).toMatchObject({ total_users: 2, users_by_role: { manager: 1 } })
    await call({ method: 'PATCH', url: `${url}/toggle`, body: { is_active: false } })
    expect(await users()).toMatchObject({ users_by_status: { active: 1, inactive: 1 } })
    await call({ method: 'DELETE', url })
    expect(await users()).toMatchObject({ total_users: 1, users_by_role: { manager: 0 }, users_by_tenant: [] })
    await call({ method: 'POST', url: '/api/v1/admin/tenant-admins', body })
    await call({ method: 'DELETE', url: `/api/v1/admin/tenants/${tenant.id}` })
    expect(await users()).toMatchObject({ total_users: 1, users_by_role: { manager: 0 }, users_by_tenant: [] })
  })

  test('call the last thirty days of UTC recent', async () => {
    const before = (await users()).recent_registrations
    await makeUser(db, { created_at: new Date('2026-10-22T00:00:00.000Z') })
    await makeUser(db, { created_at: new Date('2026-10-21T23:59:59.999Z') })
    expect(await users()).toMatchObject({ recent_registrations: before + 1, recent_since: '2026-10-22' })
  })

  test('name a hundred tenants, most users first', async () => {
    await makeManyTenants(db, 103)
    await sql`
      insert into users (email, folded_email, password_hash, role, tenant_id)
      select n || '.' || m || '@example.com', n || '.' || m || '@example.com', 'none', 'user', id
      from (select id, row_number() over (order by id) as n from tenants) as numbered, generate_series(1, n) as m`.execute(
      db,
    )
    const counts = (await users()).users_by_tenant.map(({ count }: { count: number }) => count)
    expect(counts).toEqual(Array.from({ length: 100 }, (_, place) => 103 - place))
  })
})

describe('analytics of tenants', () => {
  test('are zero, without growth, while there is no tenant', async () => {
    expect(await tenants()).toEqual({
      total_tenants: 0,
      tenants_by_status: { active: 0, inactive: 0 },
      recent_tenants: 0,
      recent_since: '2026-10-22',
      tenant_growth: [],
      tenants_with_admins: [],
    })
  })

  test('count by status and by UTC month, twelve months including empty ones', async () => {
    const at = (created_at: string, fields = {}) => makeTenant(db, { created_at: new Date(created_at), ...fields })
    await at('2026-11-01T00:00:00.000Z', { status: 'inactive' })
    await at('2026-10-31T23:59:59.999Z')
    await at('2025-12-01T00:00:00.000Z')
    await at('2025-11-30T23:59:59.999Z')
    const found = await tenants()
    expect(found).toMatchObject({
      total_tenants: 4,
      tenants_by_status: { active: 3, inactive: 1 },
      recent_tenants: 2,
      recent_since: '2026-10-22',
    })
    expect(found.tenant_growth).toHaveLength(12)
    expect(found.tenant_growth.filter(({ count }: { count: number }) => count > 0)).toEqual([
      { month: '2025-12', count: 1 },
      { month: '2026-10', count: 1 },
      { month: '2026-11', count: 1 },
    ])
    expect(found.tenant_growth[1]).toEqual({ month: '2026-01', count: 0 })
  })

  test('name the first hundred by name, with their status and how many users they have', async () => {
    await makeManyTenants(db, 110)
    const first = await makeTenant(db, { name: 'aardvark', status: 'inactive' })
    await makeUser(db, { tenant_id: first.id, role: 'admin' })
    const { tenants_with_admins: named } = await tenants()
    expect(named).toHaveLength(100)
    expect(named[0]).toEqual({ id: first.id, name: 'aardvark', status: 'inactive', admin_count: 1 })
  })
})

test('neither call reads all admins or all tenants', async () => {
  await makeManyTenants(db, 5_000)
  await makeManyUsers(db, 2_000)
  await sql`analyze tenants, users`.execute(db)
  const statements: CompiledQuery[] = []
  const watched = connect(databaseUrl, { log: ({ query }) => void statements.push(query) })
  await analyticsOfUsers({ db: watched, now: () => clock.at })
  await analyticsOfTenants({ db: watched, now: () => clock.at })
  await watched.destroy()
  expect(statements).toHaveLength(2)
  for (const statement of statements) {
    const { rows } = await db.executeQuery({ ...statement, sql: `explain ${statement.sql}` })
    const plan = JSON.stringify(rows)
    expect(plan).toMatch(/Index (Only )?Scan (Backward )?using tenants_by_/)
    expect(plan).not.toMatch(/Seq Scan on (tenants|admins)/)
  }
})
