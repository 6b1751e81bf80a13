import { unescapedCell } from '@switchboard/contract/csv/csv-cells'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { CREATED, importCalls, outcomes } from '#src/testing/import-calls.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin'

const { imported, exported } = importCalls(admin)
const userOf = (email: string) => db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').orderBy('seq').selectAll().where('target_id', '=', id).execute()
describe('users', () => {
  test('are created without a password, by the id or the subdomain of their tenant', async () => {
    const { id, subdomain } = await makeTenant(db)
    const rows = [
      { email: 'By.Id@example.com', role: 'Admin', tenant_id: id },
      { email: 'by.subdomain@example.com', role: 'user', tenant_id: subdomain, is_active: 'inactive' },
    ]
    expect(await imported('tenant-admins', rows)).toEqual([CREATED, CREATED])
    const user = await userOf('By.Id@example.com')
    expect(user).toMatchObject({ role: 'admin', tenant_id: id, is_active: true, must_change_password: true })
    expect(await userOf('by.subdomain@example.com')).toMatchObject({ tenant_id: id, is_active: false })
    expect(await auditOf(user?.id ?? '')).toMatchObject([
      {
        action: 'users.import',
        target_type: 'user',
        tenant_id: id,
        changes: { role: { before: null, after: 'admin' } },
      },
    ])
    expect(outcomes(await imported('tenant-admins', rows))).toEqual(['unchanged', 'unchanged'])
    expect(outcomes(await imported('tenant-admins', [{ ...rows[0], email: 'BY.ID@EXAMPLE.COM' }]))).toEqual([
      'unchanged',
    ])
    const { body } = await admin.call({ method: 'GET', url: `${url}/tenants/${id}` })
    expect(body).toContain('"admin_count":2')
  })

  test('keep their external ids, which no two users share', async () => {
    const { id } = await makeTenant(db)
    await makeUser(db, { external_id: 'sub_held' })
    const rows = ['sub_new', 'sub_new', 'sub_held'].map((external_id, at) => ({
      email: `external.${at}@example.com`,
      role: 'user',
      tenant_id: id,
      external_id,
    }))
    const taken = {
      outcome: 'refused',
      problems: [{ column: 'external_id', message: 'Another user has this external ID.' }],
    }
    for (const isDryRun of [true, false])
      expect(await imported('tenant-admins', rows, isDryRun)).toEqual([CREATED, taken, taken])
    expect(await userOf('external.0@example.com')).toMatchObject({ external_id: 'sub_new' })
    expect(await imported('tenant-admins', rows)).toEqual([{ outcome: 'unchanged', problems: [] }, taken, taken])
  })

  test('without a known tenant, and new super admins, are refused', async () => {
    const { id } = await makeTenant(db)
    const row = { email: 'refused@example.com', role: 'user' }
    const problem = async (cells: Record<string, string>) => (await imported('tenant-admins', [cells]))[0]?.problems
    expect(await problem(row)).toEqual([{ column: 'tenant_id', message: 'Enter the ID or the subdomain of a tenant.' }])
    expect(await problem({ ...row, tenant_id: 'nowhere' })).toEqual([
      { column: 'tenant_id', message: 'There is no tenant with this ID or subdomain.' },
    ])
    expect(await problem({ ...row, role: 'super_admin' })).toEqual([
      { column: 'role', message: 'People who run the console are invited on the team page.' },
    ])
    expect(await problem({ ...row, role: 'super_admin', tenant_id: id })).toEqual([
      { column: 'tenant_id', message: 'A person who runs the console belongs to no tenant.' },
    ])
    expect(await problem({ email: 'nobody', role: 'boss', tenant_id: id, is_active: 'maybe' })).toEqual([
      { column: 'email', message: 'Enter a valid email address.' },
      { column: 'role', message: 'Use admin, manager or user.' },
      { column: 'is_active', message: 'Use true or false.' },
    ])
    expect(await userOf('refused@example.com')).toBeUndefined()
  })

  test('that exist in another tenant or role are named and stay as they are', async () => {
    const [here, there] = [await makeTenant(db, { name: 'Here' }), await makeTenant(db)]
    const { id, email } = await makeUser(db, { role: 'admin', tenant_id: here.id })
    expect(await imported('tenant-admins', [{ email, role: 'user', tenant_id: there.id }])).toEqual([
      {
        outcome: 'different',
        problems: [
          { column: 'role', message: 'The existing record has "admin".' },
          { column: 'tenant_id', message: 'The existing record has "Here".' },
        ],
      },
    ])
    expect(await userOf(email)).toMatchObject({ id, tenant_id: here.id, role: 'admin' })
  })

  test('of our own export, super admins included, are read back equal', async () => {
    const rows = (await exported('tenant-admins/export')).map(
      ({ email = '', role = '', tenant_id = '', is_active = '' }) => ({
        email: unescapedCell(email),
        role,
        tenant_id,
        is_active,
      }),
    )
    expect(rows.length).toBeGreaterThan(3)
    expect(new Set(outcomes(await imported('tenant-admins', rows)))).toEqual(new Set(['unchanged']))
    const stored = () =>
      db
        .selectFrom('users')
        .select(['email', 'role', 'tenant_id', 'is_active'])
        .where('tenant_id', 'is not', null)
        .orderBy('email')
        .execute()
    const before = await stored()
    await db.deleteFrom('users').where('tenant_id', 'is not', null).execute()
    const ofTenants = rows.filter(({ tenant_id }) => tenant_id !== '')
    expect(new Set(outcomes(await imported('tenant-admins', ofTenants)))).toEqual(new Set(['created']))
    expect(await stored()).toEqual(before)
  })
})
