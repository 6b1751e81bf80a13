import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { dayOf, DAY_MS } from '@switchboard/contract/wire/days'
import { makeApiKey, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, clock, call: callWithoutSession, signIn } = await startTestApi()
let { call } = await signIn()

beforeEach(async () => {
  await db.deleteFrom('users').execute()
  await db.deleteFrom('tenants').execute()
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  ;({ call } = await signIn())
  // The signed-in admin is a user too.
  await sql`update users set created_at = '2020-01-01'`.execute(db)
})

const get = (query = '') => call({ method: 'GET', url: `/api/v1/admin/analytics/trends?${query}` })
const trends = async (query = '') => (await get(query)).json()
const at = (created_at: string) => ({ created_at: new Date(created_at) })
const NONE = { users: 0, tenants: 0, accepted: 0, refused: 0 }

test('trends need a session', async () => {
  const answer = await callWithoutSession({ method: 'GET', url: '/api/v1/admin/analytics/trends' })
  expect(answer.statusCode).toBe(401)
})

test('without a range, thirty days end today and are compared with the thirty days before', async () => {
  const { days, ...rest } = await trends()
  expect(rest).toEqual({
    from: '2026-10-22',
    to: '2026-11-20',
    total: NONE,
    before: { from: '2026-09-22', to: '2026-10-21', total: NONE },
  })
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({ day: '2026-10-22', ...NONE })
  expect(days[29]).toEqual({ day: '2026-11-20', ...NONE })
})

test('records count on their day of UTC, in the range or in the period before', async () => {
  await makeTenant(db, at('2026-10-31T23:59:59.999Z'))
  const { id: tenant_id } = await makeTenant(db, at('2026-11-01T00:00:00.000Z'))
  await makeTenant(db, at('2026-11-03T23:59:59.999Z'))
  await makeTenant(db, at('2026-11-04T00:00:00.000Z'))
  await makeTenant(db, at('2026-10-28T23:59:59.999Z'))
  await makeUser(db, { tenant_id, role: 'user', ...at('2026-11-02T12:00:00.000Z') })
  await makeUser(db, { tenant_id, role: 'admin', ...at('2026-11-02T13:00:00.000Z') })
  await makeUser(db, at('2026-10-29T00:00:00.000Z'))
  expect(await trends('from=2026-11-01&to=2026-11-03')).toEqual({
    from: '2026-11-01',
    to: '2026-11-03',
    days: [
      { day: '2026-11-01', ...NONE, tenants: 1 },
      { day: '2026-11-02', ...NONE, users: 2 },
      { day: '2026-11-03', ...NONE, tenants: 1 },
    ],
    total: { ...NONE, tenants: 2, users: 2 },
    before: { from: '2026-10-29', to: '2026-10-31', total: { ...NONE, tenants: 1, users: 1 } },
  })
})

describe('checks of keys', () => {
  // The database counts the calls of recent days only, by its own clock.
  const ago = (days: number) => dayOf(Date.now() - days * DAY_MS)
  const check = async (id: string, daysAgo: number, outcome: KeyOutcome, count: number) =>
    await makeCalls(db, id, outcome, { count, at: new Date(Date.now() - daysAgo * DAY_MS) })
  const recent = async () => await trends(`from=${ago(2)}&to=${ago(1)}`)
  beforeEach(async () => {
    clock.at = new Date()
    ;({ call } = await signIn())
  })

  test('are accepted or refused, of all keys together', async () => {
    const { id: tenant_id } = await makeTenant(db, at('2020-01-01T00:00:00.000Z'))
    const [one, other] = [await makeApiKey(db, { tenant_id }), await makeApiKey(db, { tenant_id })]
    await check(one.id, 2, 'valid', 1_000)
    await check(other.id, 2, 'valid', 50)
    await check(one.id, 1, 'valid', 1)
    await check(one.id, 1, 'valid', 2)
    for (const outcome of ['revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused'] as const)
      await check(other.id, 1, outcome, 10)
    await check(one.id, 3, 'valid', 400)
    await check(one.id, 4, 'origin_refused', 7)
    await check(one.id, 5, 'valid', 9)
    const { days, total, before } = await recent()
    expect(days).toEqual([
      { day: ago(2), ...NONE, accepted: 1_050 },
      { day: ago(1), ...NONE, accepted: 3, refused: 50 },
    ])
    expect(total).toEqual({ ...NONE, accepted: 1_053, refused: 50 })
    expect(before.total).toEqual({ ...NONE, accepted: 400, refused: 7 })
  })

  test('of test keys are not counted', async () => {
    const { id: tenant_id } = await makeTenant(db)
    const { id } = await makeApiKey(db, { tenant_id, environment: 'test' })
    await check(id, 1, 'valid', 5)
    await check(id, 1, 'expired', 6)
    expect((await recent()).total).toMatchObject({ accepted: 0, refused: 0 })
  })

  test('of a deleted tenant are not counted', async () => {
    const tenants = [await makeTenant(db), await makeTenant(db)]
    for (const { id } of tenants) await check((await makeApiKey(db, { tenant_id: id })).id, 1, 'valid', 5)
    expect((await recent()).total.accepted).toBe(10)
    await call({ method: 'DELETE', url: `/api/v1/admin/tenants/${tenants[0]?.id}` })
    expect((await recent()).total.accepted).toBe(5)
  })
})

test('the lists behind the figures have as many rows', async () => {
  const days = ['2026-11-09', '2026-11-10', '2026-11-12', '2026-11-13']
  for (const day of days) await makeTenant(db, at(`${day}T00:00:00.000Z`))
  for (const day of days) await makeUser(db, at(`${day}T23:59:59.999Z`))
  const { total } = await trends('from=2026-11-10&to=2026-11-12')
  for (const [list, count] of [
    ['tenants', total.tenants],
    ['tenant-admins', total.users],
  ] as const) {
    const url = `/api/v1/admin/${list}?created_from=2026-11-10&created_to=2026-11-12&limit=10`
    expect((await call({ method: 'GET', url })).json()).toHaveLength(count)
    expect(count).toBe(2)
  }
})

test('one end of a range is enough', async () => {
  expect(await trends('to=2026-03-01')).toMatchObject({ from: '2026-01-31', to: '2026-03-01' })
  expect(await trends('from=2026-11-19')).toMatchObject({ from: '2026-11-19', to: '2026-11-20' })
})

test('a range that ends before its start, or is too long, is refused with a sentence', async () => {
  for (const [query, detail] of [
    ['from=2026-11-03&to=2026-11-02', 'The first day must not be after the last day.'],
    ['from=2026-11-21', 'The first day must not be after the last day.'],
    ['from=2025-11-19&to=2026-11-20', 'Choose at most 366 days.'],
  ]) {
    const answer = await get(query)
    expect([answer.statusCode, answer.json()]).toEqual([400, { detail }])
  }
  expect((await get('from=2025-11-20&to=2026-11-20')).json().days).toHaveLength(366)
  for (const query of ['from=2026-02-30', 'to=yesterday', 'days=7']) expect((await get(query)).statusCode).toBe(422)
})
