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
  await signInAt(new Date('2026-11-20T12:00:00.000Z'))
})

async function signInAt(now: Date) {
  clock.at = now
  ;({ call } = await signIn())
  // The signed-in admin is a user too.
  await sql`update users set created_at = '2020-01-01'`.execute(db)
}

const get = (query = '') => call({ method: 'GET', url: `/api/v1/admin/analytics/trends?${query}` })
const trends = async (query = '') => (await get(query)).json()
const at = (created_at: string) => ({ created_at: new Date(created_at) })
const NONE = { users: 0, tenants: 0, accepted: 0, refused: 0 }

test('trends need a session', async () => {
  const answer = await callWithoutSession({ method: 'GET', url: '/api/v1/admin/analytics/trends' })
  expect(answer.statusCode).toBe(401)
})

test('thirty days end today and are compared with the thirty days before', async () => {
  const { days, ...sums } = await trends()
  expect(sums).toEqual({ total: NONE, before: NONE })
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({ day: '2026-10-22', ...NONE })
  expect(days[29]).toEqual({ day: '2026-11-20', ...NONE })
})

test('records count on their day of UTC, in the last days or in those before', async () => {
  await makeTenant(db, at('2026-11-17T23:59:59.999Z'))
  const { id: tenant_id } = await makeTenant(db, at('2026-11-18T00:00:00.000Z'))
  await makeTenant(db, at('2026-11-20T23:59:59.999Z'))
  await makeTenant(db, at('2026-11-21T00:00:00.000Z'))
  await makeTenant(db, at('2026-11-14T23:59:59.999Z'))
  await makeUser(db, { tenant_id, role: 'user', ...at('2026-11-19T12:00:00.000Z') })
  await makeUser(db, { tenant_id, role: 'admin', ...at('2026-11-19T13:00:00.000Z') })
  await makeUser(db, at('2026-11-15T00:00:00.000Z'))
  expect(await trends('days=3')).toEqual({
    days: [
      { day: '2026-11-18', ...NONE, tenants: 1 },
      { day: '2026-11-19', ...NONE, users: 2 },
      { day: '2026-11-20', ...NONE, tenants: 1 },
    ],
    total: { ...NONE, tenants: 2, users: 2 },
    before: { ...NONE, tenants: 1, users: 1 },
  })
})

describe('calls', () => {
  // The database counts the calls of recent days only, by its own clock.
  const ago = (days: number) => dayOf(Date.now() - days * DAY_MS)
  const check = async (id: string, daysAgo: number, outcome: KeyOutcome, count: number) =>
    await makeCalls(db, id, outcome, { count, at: new Date(Date.now() - daysAgo * DAY_MS) })
  const recent = async () => await trends('days=3')
  beforeEach(() => signInAt(new Date()))

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
    await check(one.id, 5, 'origin_refused', 7)
    await check(one.id, 6, 'valid', 9)
    const { days, total, before } = await recent()
    expect(days).toEqual([
      { day: ago(2), ...NONE, accepted: 1_050 },
      { day: ago(1), ...NONE, accepted: 3, refused: 50 },
      { day: ago(0), ...NONE },
    ])
    expect(total).toEqual({ ...NONE, accepted: 1_053, refused: 50 })
    expect(before).toEqual({ ...NONE, accepted: 400, refused: 7 })
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

test('a number of days is between 1 and 366', async () => {
  expect((await trends('days=1')).days).toHaveLength(1)
  expect((await trends('days=366')).days).toHaveLength(366)
  for (const query of ['days=0', 'days=367', 'days=a', 'from=2026-11-01'])
    expect((await get(query)).statusCode).toBe(422)
})
