import {
  deleteRecord,
  makeUser,
  makeApiKey,
  makeManyTenants,
  makeRun,
  makeTask,
  makeTenant,
} from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { recount } from '@switchboard/database/recount'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { idsOfAllPages } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, signIn } = await startTestApi()
let { call } = await signIn()
let tenant = await makeTenant(db)

beforeEach(async () => {
  await db.deleteFrom('users').execute()
  await db.deleteFrom('tenants').execute()
  ;({ call } = await signIn())
  tenant = await makeTenant(db, { name: 'Harbor Dental', subdomain: 'harbor' })
  await makeUser(db, { tenant_id: tenant.id, role: 'admin' })
})

const get = (path: string) => call({ method: 'GET', url: `/api/v1/admin/${path}` })
const attention = async () => (await get('analytics/attention')).json()
const NOTHING = { count: 0, is_more: false, first: [] }
const NO_REFUSED_KEYS = { ...NOTHING, of_inactive_tenants: 0 }

/** The names in a list with the filter of a dashboard link. */
async function listed(path: string): Promise<string[]> {
  const page = await get(`${path}&limit=50`)
  expect(page.statusCode).toBe(200)
  return page.json().map((row: { name?: string; tenant_name?: string }) => row.name ?? row.tenant_name)
}

/** The ids of the keys that a filter selects, exports and changes; all three must agree. */
async function keysUnder(filter: string): Promise<string[]> {
  const ids: string[] = (await get(`api-keys/ids?attention=${filter}`)).json()
  const file = await call({ method: 'POST', url: `/api/v1/admin/api-keys/export?attention=${filter}` })
  expect(file.headers['x-export-rows']).toBe(String(ids.length))
  for (const id of ids) expect(file.body).toContain(id)
  return ids
}

async function refuse(keyId: string, outcome: KeyOutcome, count: number, daysAgo = 0): Promise<void> {
  await makeCalls(db, keyId, outcome, { count, at: new Date(Date.now() - daysAgo * 86_400_000) })
}

test('nothing needs attention where all is well', async () => {
  await makeApiKey(db, { tenant_id: tenant.id })
  await makeTask(db, { tenant_id: tenant.id })
  expect(await attention()).toEqual({
    tenants_without_admin: NOTHING,
    keys_reported: NOTHING,
    keys_expiring: NOTHING,
    keys_refused: NO_REFUSED_KEYS,
    tasks_failing: NOTHING,
    tasks_paused: NOTHING,
    tasks_late: NOTHING,
    reviews_low: NOTHING,
    untrusted_proxy: null,
  })
})

describe('tenants without an active admin', () => {
  test('are active tenants without an active user of the role admin, most users first', async () => {
    const lonely = await makeTenant(db, { name: 'Lonely' })
    await makeUser(db, { tenant_id: lonely.id, role: 'admin', is_active: false })
    const helped = await makeTenant(db, { name: 'Helped' })
    await makeUser(db, { tenant_id: helped.id, role: 'user' })
    await makeUser(db, { tenant_id: helped.id, role: 'manager' })
    const empty = await makeTenant(db, { name: 'Empty' })
    await makeTenant(db, { status: 'inactive' })
    expect((await attention()).tenants_without_admin).toEqual({
      count: 3,
      is_more: false,
      first: [
        { id: helped.id, name: 'Helped', admin_count: 2 },
        { id: lonely.id, name: 'Lonely', admin_count: 1 },
        { id: empty.id, name: 'Empty', admin_count: 0 },
      ],
    })
    expect(await listed('tenants?attention=no_active_admin&sort=name')).toEqual(['Empty', 'Helped', 'Lonely'])
  })

  test('are counted again when a user becomes an admin or an admin is deactivated', async () => {
    const { id } = await makeTenant(db)
    const user = await makeUser(db, { tenant_id: id, role: 'user' })
    const count = async () => (await attention()).tenants_without_admin.count
    expect(await count()).toBe(1)
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute()
    expect(await count()).toBe(0)
    await db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute()
    expect(await count()).toBe(1)
    expect(await recount(db)).toEqual([])
  })

  test('are counted to a thousand and named in part', async () => {
    await makeManyTenants(db, 1_200)
    const { count, is_more, first } = (await attention()).tenants_without_admin
    expect({ count, is_more, named: first.length }).toEqual({ count: 1_000, is_more: true, named: 3 })
  })
})

describe('keys about to expire', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

  test('are active keys that end within fourteen days and were not replaced', async () => {
    const soon = { tenant_id: tenant.id, expires_at: inDays(13.9) }
    const key = await makeApiKey(db, soon)
    await makeApiKey(db, { ...soon, expires_at: inDays(14.1) })
    await makeApiKey(db, { ...soon, expires_at: inDays(-1) })
    const inactive = await makeTenant(db, { status: 'inactive' })
    await makeApiKey(db, { ...soon, tenant_id: inactive.id })
    await makeApiKey(db, { ...soon, is_active: false })
    await makeApiKey(db, { ...soon, rotated_at: inDays(-1), grace_ends_at: inDays(13.9) })
    const { count, first } = (await attention()).keys_expiring
    expect(count).toBe(1)
    const { id, name, tenant_id, expires_at } = key
    expect(first).toEqual([{ id, name, tenant_id, tenant_name: 'Harbor Dental', tenant_status: 'active', expires_at }])
    await makeTenant(db)
    expect(await listed('tenants?attention=keys_expiring')).toEqual(['Harbor Dental'])
    expect(await keysUnder('keys_expiring')).toEqual([id])
  })

  test('are not keys of inactive tenants, which are refused already', async () => {
    const inactive = await makeTenant(db, { status: 'inactive' })
    await makeApiKey(db, { tenant_id: inactive.id, expires_at: inDays(1) })
    expect((await attention()).keys_expiring).toEqual(NOTHING)
    expect(await keysUnder('keys_expiring')).toEqual([])
  })

  test('are the only keys that a bulk action with this filter changes', async () => {
    const soon = await makeApiKey(db, { tenant_id: tenant.id, expires_at: inDays(1) })
    const other = await makeApiKey(db, { tenant_id: tenant.id })
    const url = '/api/v1/admin/api-keys/bulk?attention=keys_expiring'
    const answer = await call({ method: 'POST', url, body: { action: 'deactivate', ids: [soon.id, other.id] } })
    expect(answer.json().results).toMatchObject([{ outcome: 'done' }, { outcome: 'refused' }])
    const active = await db.selectFrom('api_keys').select('id').where('is_active', '=', true).execute()
    expect(active).toEqual([{ id: other.id }])
  })
})

describe('keys refused', () => {
  test('are counted over seven days, with the most frequent reason', async () => {
    const key = await makeApiKey(db, { tenant_id: tenant.id })
    await refuse(key.id, 'origin_refused', 6, 6)
    await refuse(key.id, 'disabled', 5)
    await refuse(key.id, 'origin_refused', 3)
    await refuse(key.id, 'valid', 1_000)
    await refuse(key.id, 'expired', 100, 7)
    const old = await makeApiKey(db, { tenant_id: tenant.id })
    await refuse(old.id, 'expired', 100, 7)
    const { count, first } = (await attention()).keys_refused
    const refusals = { count: 14, outcome: 'origin_refused', is_replaced: false }
    expect({ count, first }).toMatchObject({ count: 1, first: [{ id: key.id, refusals }] })
    const keys = (await get(`api-keys/${tenant.id}`)).json()
    expect(keys.map(({ id, refusals: of }: { id: string; refusals: unknown }) => [id, of])).toEqual([
      [old.id, null],
      [key.id, refusals],
    ])
    await makeTenant(db)
    expect(await listed('tenants?attention=keys_refused')).toEqual(['Harbor Dental'])
    expect(await keysUnder('keys_refused')).toEqual([key.id])
  })

  test('are sorted by the number of refusals, for any reason', async () => {
    const at = new Date(Date.now() - 86_400_000)
    const replaced = { rotated_at: at, grace_ends_at: at, expires_at: at }
    const [once, most, some] = await Promise.all([
      makeApiKey(db, { tenant_id: tenant.id, ...replaced }),
      makeApiKey(db, { tenant_id: tenant.id }),
      makeApiKey(db, { tenant_id: tenant.id, rotated_at: at }),
    ])
    await refuse(once.id, 'expired', 1)
    await refuse(most.id, 'tenant_inactive', 633)
    await refuse(some.id, 'origin_refused', 44)
    expect((await attention()).keys_refused.first).toMatchObject([
      { id: most.id, refusals: { count: 633, outcome: 'tenant_inactive', is_replaced: false } },
      { id: some.id, refusals: { count: 44, outcome: 'origin_refused', is_replaced: false } },
      { id: once.id, refusals: { count: 1, outcome: 'expired', is_replaced: true } },
    ])
  })

  test('of inactive tenants are counted separately', async () => {
    const inactive = await makeTenant(db, { status: 'inactive' })
    const [blocked, other] = [
      await makeApiKey(db, { tenant_id: inactive.id }),
      await makeApiKey(db, { tenant_id: tenant.id }),
    ]
    await refuse(blocked.id, 'tenant_inactive', 500)
    await refuse(other.id, 'origin_refused', 3)
    expect((await attention()).keys_refused).toMatchObject({
      count: 1,
      first: [{ id: other.id }],
      of_inactive_tenants: 1,
    })
    expect(await keysUnder('keys_refused')).toHaveLength(2)
  })

  test('have their state, their recent calls and the origin that they refused most', async () => {
    const expires_at = new Date(Date.now() - 86_400_000)
    const [key, expired] = [
      await makeApiKey(db, { tenant_id: tenant.id, allowed_origins: ['https://a.example'] }),
      await makeApiKey(db, { tenant_id: tenant.id, expires_at }),
    ]
    await refuse(key.id, 'origin_refused', 30, 1)
    await refuse(key.id, 'valid', 4)
    await refuse(expired.id, 'expired', 2)
    const last_at = new Date()
    await db
      .insertInto('api_key_refused_origins')
      .values([
        { api_key_id: key.id, origin: 'https://b.example', count: 10, last_at },
        { api_key_id: key.id, origin: 'https://c.example', count: 20, last_at },
        { api_key_id: key.id, origin: 'https://d.example', count: 99, last_at: new Date(Date.now() - 8 * 86_400_000) },
      ])
      .execute()
    const none = { accepted: 0, refused: 0 }
    expect((await attention()).keys_refused.first).toMatchObject([
      {
        id: key.id,
        state: 'working',
        allowed_origins: ['https://a.example'],
        refused_origin: 'https://c.example',
        recent_calls: [none, none, none, none, none, { accepted: 0, refused: 30 }, { accepted: 4, refused: 0 }],
      },
      { id: expired.id, state: 'expired', expires_at: expires_at.toISOString(), refused_origin: null },
    ])
  })

  test('bring the tenant with the most refused key to the top of its list, page by page', async () => {
    const counts = [44, 633, 8, 459, 8]
    for (const [n, count] of counts.entries()) {
      const { id } = await makeTenant(db, { name: `Refused ${n}` })
      const [key, other] = [await makeApiKey(db, { tenant_id: id }), await makeApiKey(db, { tenant_id: id })]
      await refuse(key.id, 'origin_refused', count)
      await refuse(other.id, 'disabled', 7)
    }
    const first = `/api/v1/admin/tenants?attention=keys_refused&limit=2`
    const pages = await idsOfAllPages((url) => call({ method: 'GET', url }), first)
    const names = new Map(
      (await db.selectFrom('tenants').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
    )
    expect(pages.forwards.map((id) => names.get(id)).slice(0, 3)).toEqual(['Refused 1', 'Refused 3', 'Refused 0'])
    expect(pages.forwards).toHaveLength(counts.length)
    expect(pages.backwards).toEqual(pages.forwards)
    const page = await get('tenants?attention=keys_refused&limit=1&q=refused')
    expect(page.headers['x-total-count']).toBe('5')
    expect(page.json()).toMatchObject([{ name: 'Refused 1' }])
  })

  test('include no deleted keys', async () => {
    const gone = await makeApiKey(db, { tenant_id: tenant.id })
    await refuse(gone.id, 'revoked', 100)
    await deleteRecord(db, 'api_keys', gone.id)
    expect((await attention()).keys_refused).toEqual(NO_REFUSED_KEYS)
    expect(await keysUnder('keys_refused')).toEqual([])
    expect(await listed('tenants?attention=keys_refused')).toEqual([])
  })
})

describe('tasks', () => {
  const ago = (minutes: number) => sql<Date>`now() - ${minutes} * interval '1 minute'`

  test('with a failed last run have the reason', async () => {
    const extra_data = { place_id: 'ChIJharbor', place_name: 'Harbor Dental' }
    const task = await makeTask(db, { tenant_id: tenant.id, last_outcome: 'failed', extra_data })
    const failed = { task_id: task.id, outcome: 'failed', reason: 'not_found' } as const
    await makeRun(db, { ...failed, message: 'Older.', created_at: ago(60) })
    const { finished_at } = await makeRun(db, { ...failed, message: 'There is no such place.' })
    const { count, first } = (await attention()).tasks_failing
    expect(count).toBe(1)
    expect(first).toEqual([
      {
        id: task.id,
        tenant_name: 'Harbor Dental',
        schedule_name: 'pull_google_review',
        place_id: 'ChIJharbor',
        place_name: 'Harbor Dental',
        place_address: null,
        reason: 'There is no such place.',
        at: finished_at,
      },
    ])
    expect(await listed('tasks?state=failing')).toEqual(['Harbor Dental'])
  })

  test('that paused themselves have the reason', async () => {
    await makeTask(db, { tenant_id: tenant.id, is_paused: true, paused_reason: 'Paused after 3 failures in a row.' })
    const { count, first } = (await attention()).tasks_paused
    expect(count).toBe(1)
    expect(first).toMatchObject([{ reason: 'Paused after 3 failures in a row.', at: null }])
  })

  test('are late ten minutes after their time, without a run or without a worker', async () => {
    const late = await makeTask(db, { tenant_id: tenant.id, next_run: ago(11) })
    await makeTask(db, { tenant_id: tenant.id, next_run: ago(9) })
    const queued = await makeTask(db, { tenant_id: tenant.id })
    const waiting = { outcome: 'queued', attempts: 0, started_at: null, finished_at: null } as const
    await makeRun(db, { ...waiting, task_id: queued.id, created_at: ago(30) })
    const fresh = await makeTask(db, { tenant_id: tenant.id })
    await makeRun(db, { ...waiting, task_id: fresh.id })
    const { count, first } = (await attention()).tasks_late
    expect(count).toBe(2)
    expect(first.map(({ id }: { id: string }) => id)).toEqual([queued.id, late.id])
    expect(await listed('tasks?state=late')).toHaveLength(2)
  })
})

test('lists are narrowed to days of UTC by when their rows were created', async () => {
  const at = (created_at: string) => makeTenant(db, { name: created_at, created_at: new Date(created_at) })
  await at('2026-05-31T23:59:59.999Z')
  await at('2026-06-01T00:00:00.000Z')
  await at('2026-06-30T23:59:59.999Z')
  await at('2026-07-01T00:00:00.000Z')
  expect(await listed('tenants?created_from=2026-06-01&created_to=2026-06-30&sort=created_at')).toEqual([
    '2026-06-01T00:00:00.000Z',
    '2026-06-30T23:59:59.999Z',
  ])
  await makeUser(db, { email: 'june@example.com', created_at: new Date('2026-06-30T23:59:59.999Z') })
  await makeUser(db, { email: 'july@example.com', created_at: new Date('2026-07-01T00:00:00.000Z') })
  const page = await get('tenant-admins?created_from=2026-06-30&created_to=2026-06-30&limit=10')
  expect(page.json()).toMatchObject([{ email: 'june@example.com' }])
  for (const list of ['tenants', 'tenants/ids', 'tenant-admins', 'tenant-admins/ids']) {
    for (const day of ['2026-02-30', '0000-01-01', '9999-12-31']) {
      expect((await get(`${list}?created_from=${day}`)).statusCode).toBe(422)
      expect((await get(`${list}?created_to=${day}`)).statusCode).toBe(422)
    }
  }
})
