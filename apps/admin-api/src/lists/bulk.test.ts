import { BULK_MAX, type BulkAnswer } from '@switchboard/contract/wire/bulk'
import { connect } from '@switchboard/database/connection/connect'
import { makeUser, makeApiKey, makeManyTenants, makeTask, makeTenant } from '@switchboard/testing/factories'
import type { Database } from '@switchboard/database/tables'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn('ada@example.com')
const url = '/api/v1/admin'

const bulk = (list: string, action: string, ids: string[], who = actor) =>
  who.call({
    method: 'POST',
    url: `${url}/${list.replace('?', '/bulk?').replace(/^[^?]+$/, '$&/bulk')}`,
    body: { action, ids },
  })
const resultsOf = async (answer: ReturnType<typeof bulk> | Awaited<ReturnType<typeof bulk>>) => {
  const body: BulkAnswer = (await answer).json()
  return body.results
}
const selected = async (path: string): Promise<string[]> =>
  (await actor.call({ method: 'GET', url: `${url}/${path}` })).json()
const auditOf = (id: string) =>
  db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'reason', 'actor_email', 'target_type', 'target_name', 'changes'])
    .where('target_id', '=', id)
    .orderBy('seq')
    .execute()
const exists = async (table: keyof Pick<Database, 'tenants' | 'users' | 'tasks'>, id: string) =>
  (await db.selectFrom(table).select('id').where('id', '=', id).execute()).length === 1

describe('many tenants', () => {
  const statusOf = async (id: string) =>
    (await db.selectFrom('tenants').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

  test('are suspended and reactivated, each audited like a single change', async () => {
    const one = await makeTenant(db, { name: 'One' })
    const other = await makeTenant(db, { name: 'Other', status: 'inactive' })
    expect(await resultsOf(bulk('tenants', 'suspend', [one.id, other.id]))).toEqual([
      { id: one.id, name: 'One', outcome: 'done', reason: null, is_changed: true },
      { id: other.id, name: 'Other', outcome: 'done', reason: null, is_changed: false },
    ])
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['inactive', 'inactive'])
    expect(await auditOf(one.id)).toMatchObject([
      {
        action: 'tenants.update',
        actor_email: 'ada@example.com',
        changes: { status: { before: 'active', after: 'inactive' } },
      },
    ])
    expect(await auditOf(other.id)).toEqual([])
    await bulk('tenants', 'reactivate', [one.id, other.id])
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['active', 'active'])
  })

  test('are deleted with all their records', async () => {
    const tenant = await makeTenant(db)
    const user = await makeUser(db, { tenant_id: tenant.id, role: 'user' })
    expect(await resultsOf(bulk('tenants', 'delete', [tenant.id]))).toMatchObject([{ outcome: 'done' }])
    expect([await exists('tenants', tenant.id), await exists('users', user.id)]).toEqual([false, false])
    expect(await auditOf(tenant.id)).toMatchObject([
      { action: 'tenants.delete', changes: { admin_count: { before: 1, after: null } } },
    ])
  })

  test('already deleted count as deleted, and are refused for other changes', async () => {
    const gone = crypto.randomUUID()
    const tenant = await makeTenant(db, { name: 'Still there' })
    expect(await resultsOf(bulk('tenants', 'delete', [gone]))).toEqual([
      { id: gone, name: null, outcome: 'done', reason: null, is_changed: false },
    ])
    expect(await resultsOf(bulk('tenants', 'suspend', [gone, tenant.id]))).toEqual([
      { id: gone, name: null, outcome: 'refused', reason: 'Tenant not found', is_changed: false },
      { id: tenant.id, name: 'Still there', outcome: 'done', reason: null, is_changed: true },
    ])
  })

  test('selected by a query are not changed when they no longer match', async () => {
    const reason = 'The row has changed and no longer matches the selection.'
    const matching = await makeTenant(db, { name: 'Spared no more', status: 'inactive' })
    const changed = await makeTenant(db, { name: 'Spared', status: 'active' })
    const ids = [matching.id, changed.id]
    expect(await resultsOf(bulk('tenants?q=spared&status=inactive&sort=name', 'delete', ids))).toMatchObject([
      { id: matching.id, outcome: 'done' },
      { id: changed.id, outcome: 'refused', reason },
    ])
    expect(await exists('tenants', changed.id)).toBe(true)
    expect(await auditOf(changed.id)).toMatchObject([
      { action: 'tenants.delete', outcome: 'refused', reason, target_type: 'tenant', target_name: 'Spared' },
    ])
  })

  test('can be changed again, as after a lost answer', async () => {
    const { id } = await makeTenant(db, { status: 'inactive' })
    for (const time of ['first', 'again'])
      expect([time, await resultsOf(bulk('tenants?status=inactive', 'reactivate', [id]))]).toMatchObject([
        time,
        [{ outcome: 'done' }],
      ])
    expect(await auditOf(id)).toHaveLength(1)
  })

  test('named twice are acted on once', async () => {
    const { id } = await makeTenant(db)
    expect(await resultsOf(bulk('tenants', 'suspend', [id, id]))).toHaveLength(1)
  })

  test('are left out of the answer when time is up, and come with the next call', async () => {
    const ids = [(await makeTenant(db)).id, (await makeTenant(db)).id]
    const before = api.clock.at
    // Each look at the clock takes eight seconds: the first row begins in time, the second does not.
    Object.defineProperty(api.clock, 'at', {
      configurable: true,
      get: () => ((time.now += 8_000), new Date(time.now)),
    })
    const time = { now: before.getTime() }
    const results = await resultsOf(bulk('tenants', 'suspend', ids))
    Object.defineProperty(api.clock, 'at', { configurable: true, writable: true, value: before })
    expect(results.map(({ id }) => id)).toEqual(ids.slice(0, 1))
    expect(await resultsOf(bulk('tenants', 'suspend', ids.slice(1)))).toMatchObject([{ outcome: 'done' }])
  })

  test('stop at a row locked by another transaction, and report a locked first row', async () => {
    const free = await makeTenant(db)
    const locked = await makeTenant(db)
    const holder = await db.startTransaction().execute()
    await holder.selectFrom('tenants').select('id').where('id', '=', locked.id).forUpdate().execute()
    expect((await resultsOf(bulk('tenants', 'delete', [free.id, locked.id]))).map(({ id }) => id)).toEqual([free.id])
    const refused = await bulk('tenants', 'delete', [locked.id])
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    await holder.rollback().execute()
    expect(await resultsOf(bulk('tenants', 'delete', [locked.id]))).toMatchObject([{ outcome: 'done' }])
  })
})

describe('many users', () => {
  test('are signed out when they are deactivated; the caller is refused, and the other rows succeed', async () => {
    const other = await api.signIn()
    const results = await resultsOf(bulk('tenant-admins', 'deactivate', [actor.admin.id, other.admin.id]))
    expect(results).toEqual([
      {
        id: actor.admin.id,
        name: 'ada@example.com',
        outcome: 'refused',
        reason: 'You cannot deactivate your own account.',
        is_changed: false,
      },
      { id: other.admin.id, name: other.admin.email, outcome: 'done', reason: null, is_changed: true },
    ])
    expect((await other.call({ method: 'GET', url: `${url}/auth/me` })).statusCode).toBe(401)
    expect(await auditOf(actor.admin.id)).toContainEqual(
      expect.objectContaining({ action: 'users.toggle', outcome: 'refused', target_name: 'ada@example.com' }),
    )
  })

  test('are deleted, and activated', async () => {
    const tenant = await makeTenant(db)
    const one = await makeUser(db, { tenant_id: tenant.id, role: 'user', is_active: false })
    const other = await makeUser(db, { tenant_id: tenant.id, role: 'manager' })
    const ids = await selected(`tenant-admins/ids?tenant_id=${tenant.id}&is_active=false`)
    expect(ids).toEqual([one.id])
    await bulk('tenant-admins', 'activate', ids)
    expect(await selected(`tenant-admins/ids?tenant_id=${tenant.id}&is_active=true`)).toHaveLength(2)
    await bulk(`tenant-admins?tenant_id=${tenant.id}`, 'delete', [one.id, other.id])
    expect(await selected(`tenant-admins/ids?tenant_id=${tenant.id}`)).toEqual([])
  })

  test('two super admins who deactivate all others at once leave one active', async () => {
    const rivals = [await api.signIn(), await api.signIn()] as const
    const ids = rivals.map(({ admin }) => admin.id)
    await db
      .updateTable('users')
      .set({ is_active: false })
      .where('role', '=', 'super_admin')
      .where('id', 'not in', ids)
      .execute()
    const answers = await Promise.all([
      bulk('tenant-admins', 'deactivate', ids, rivals[0]),
      bulk('tenant-admins', 'deactivate', ids.toReversed(), rivals[1]),
    ])
    // An admin who was deactivated before the first row has no session.
    const ended = answers.filter(({ statusCode }) => statusCode === 401)
    expect(ended.length).toBeLessThan(2)
    const results = await Promise.all(answers.filter((answer) => !ended.includes(answer)).map(resultsOf))
    await db.updateTable('users').set({ is_active: true }).where('id', '=', actor.admin.id).execute()
    expect(results.flat().filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
    const active = await db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', ids)
      .where('is_active', '=', true)
      .execute()
    expect(active).toHaveLength(1)
  })
})

describe('many tasks', () => {
  test('are paused, resumed and deleted', async () => {
    const tenant = await makeTenant(db, { name: 'Harbor Dental' })
    const extra_data = { place_id: 'ChIJharbor', place_name: 'Corner Bakery', place_address: '12 High St, Springfield' }
    const one = await makeTask(db, { tenant_id: tenant.id, failures_in_a_row: 2, extra_data })
    const other = await makeTask(db, { tenant_id: tenant.id, is_paused: true })
    const ids = [one.id, other.id]
    expect(await resultsOf(bulk('tasks', 'pause', ids))).toMatchObject([
      { name: 'Corner Bakery, 12 High St for Harbor Dental', outcome: 'done' },
      { outcome: 'done' },
    ])
    expect(await selected(`tasks/ids?tenant_id=${tenant.id}&state=paused`)).toHaveLength(2)
    await bulk('tasks', 'resume', ids)
    expect(await selected(`tasks/ids?tenant_id=${tenant.id}&state=paused`)).toEqual([])
    expect((await auditOf(one.id)).map(({ action }) => action)).toEqual(['tasks.update', 'tasks.update'])
    await bulk(`tasks?tenant_id=${tenant.id}`, 'delete', ids)
    expect([await exists('tasks', one.id), await exists('tasks', other.id)]).toEqual([false, false])
    expect(await resultsOf(bulk('tasks', 'delete', ids))).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }])
  })
})

describe('many keys', () => {
  test('of several tenants are toggled; a revoked key is refused', async () => {
    const one = await makeTenant(db, { name: 'Keyring one' })
    const other = await makeTenant(db, { name: 'Keyring other' })
    const key = await makeApiKey(db, { tenant_id: one.id, name: 'Live' })
    const revoked = await makeApiKey(db, {
      tenant_id: other.id,
      name: 'Revoked',
      is_active: false,
      revoked_at: new Date(),
    })
    const ids = await selected('api-keys/ids?q=keyring')
    expect(ids.toSorted()).toEqual([key.id, revoked.id].toSorted())
    await bulk('api-keys', 'deactivate', [key.id])
    const results = await resultsOf(bulk('api-keys?q=keyring', 'activate', [key.id, revoked.id]))
    expect(results).toMatchObject([
      { name: 'Live', outcome: 'done' },
      { name: 'Revoked', outcome: 'refused', reason: 'This key is revoked and cannot be activated again.' },
    ])
    expect((await auditOf(key.id)).map(({ action }) => action)).toEqual(['api_keys.toggle', 'api_keys.toggle'])
    await bulk('api-keys', 'delete', ids)
    expect(await selected('api-keys/ids?q=keyring')).toEqual([])
  })
})

describe('selecting all matching rows', () => {
  test('gives every id in the order of the list, and 409 above the maximum', async () => {
    const patient = connect(api.databaseUrl, { isPatient: true })
    // Most of the time of creating so many rows.
    await sql`drop index tenants_search`.execute(patient)
    await makeManyTenants(patient, BULK_MAX)
    await patient.destroy()
    const ids = await selected('tenants/ids?q=garage&sort=name')
    const rows = (await actor.call({ method: 'GET', url: `${url}/tenants?q=garage&sort=name` })).json()
    expect(ids).toHaveLength(BULK_MAX / 10)
    expect(ids).toEqual(rows.map(({ id }: { id: string }) => id))
    await makeTenant(db)
    const tooMany = await actor.call({ method: 'GET', url: `${url}/tenants/ids` })
    expect([tooMany.statusCode, tooMany.json()]).toMatchObject([
      409,
      { detail: 'More than 100,000 match. Narrow the search or the filters first.' },
    ])
  })
})

const refused: [string, unknown][] = [
  ['no ids', { action: 'delete', ids: [] }],
  ['too many ids', { action: 'delete', ids: Array.from({ length: 101 }, () => crypto.randomUUID()) }],
  ['an id that is none', { action: 'delete', ids: ['x'] }],
  ['an unknown action', { action: 'promote', ids: [crypto.randomUUID()] }],
  ['an unknown field', { action: 'delete', ids: [crypto.randomUUID()], all: true }],
]
test.for(refused)('a call with %s is refused', async ([, body]) => {
  for (const list of ['tenants', 'tenant-admins', 'api-keys', 'tasks'])
    expect((await actor.call({ method: 'POST', url: `${url}/${list}/bulk`, body })).statusCode).toBe(422)
})
