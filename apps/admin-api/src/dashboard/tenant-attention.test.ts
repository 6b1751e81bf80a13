import type { Attention } from '@switchboard/contract/dashboard'
import { makeApiKey, makeReview, makeTask, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, signIn } = await startTestApi()
const { call } = await signIn()
const attentionOf = async (id: string): Promise<Attention> =>
  (await call({ method: 'GET', url: `/api/v1/admin/analytics/attention?tenant_id=${id}` })).json()

/** A tenant with one record of every kind that needs attention. */
async function troubledTenant() {
  const { id: tenant_id } = await makeTenant(db)
  const inAWeek = new Date(Date.now() + 7 * 86_400_000)
  const expiring = await makeApiKey(db, { tenant_id, expires_at: inAWeek })
  const reported = await makeApiKey(db, { tenant_id, reported_at: new Date() })
  const refused = await makeApiKey(db, { tenant_id })
  await makeCalls(db, refused.id, 'origin_refused', { count: 3 })
  const failing = await makeTask(db, { tenant_id, last_outcome: 'failed', failures_in_a_row: 1 })
  const paused = await makeTask(db, { tenant_id, is_paused: true })
  const late = await makeTask(db, { tenant_id, next_run: sql<Date>`now() - interval '1 hour'` })
  const low = await makeReview(db, { task_id: late.id, rating: 1 })
  return {
    tenants_without_admin: tenant_id,
    keys_reported: reported.id,
    keys_expiring: expiring.id,
    keys_refused: refused.id,
    tasks_failing: failing.id,
    tasks_paused: paused.id,
    tasks_late: late.id,
    reviews_low: low.id,
  }
}

test('with a tenant, only its own records need attention, each kind counted and named', async () => {
  const own = await troubledTenant()
  await troubledTenant()
  const { untrusted_proxy, ...kinds } = await attentionOf(own.tenants_without_admin)
  expect(untrusted_proxy).toBeNull()
  expect(
    Object.fromEntries(Object.entries(kinds).map(([kind, { count, first }]) => [kind, [count, first[0]?.id]])),
  ).toEqual(Object.fromEntries(Object.entries(own).map(([kind, id]) => [kind, [1, id]])))
})

test('a reported key needs attention, also a test key or an inactive one, until it is revoked or has ended', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const [earlier, later] = [new Date('2026-11-01T12:00:00.000Z'), new Date('2026-11-02T12:00:00.000Z')]
  const one = await makeApiKey(db, { tenant_id, reported_at: earlier, environment: 'test' })
  const other = await makeApiKey(db, { tenant_id, reported_at: later, is_active: false })
  await makeApiKey(db, { tenant_id, reported_at: later, is_active: false, revoked_at: later })
  await makeApiKey(db, { tenant_id, reported_at: later, expires_at: later })
  expect((await attentionOf(tenant_id)).keys_reported).toMatchObject({
    count: 2,
    first: [
      { id: other.id, is_active: false, reported_at: later.toISOString() },
      { id: one.id, is_active: true, reported_at: earlier.toISOString() },
    ],
  })
  const listed = (
    await call({ method: 'GET', url: `/api/v1/admin/api-keys?attention=keys_reported&tenant_id=${tenant_id}` })
  ).json()
  expect(listed.map(({ id }: { id: string }) => id).toSorted()).toEqual([one.id, other.id].toSorted())
  const tenants = (
    await call({ method: 'GET', url: `/api/v1/admin/tenants?attention=keys_reported&id=${tenant_id}` })
  ).json()
  expect(tenants).toMatchObject([{ id: tenant_id }])
})

test('an unknown tenant has none, and an invalid id is refused', async () => {
  expect((await attentionOf(crypto.randomUUID())).tasks_late).toEqual({ count: 0, is_more: false, first: [] })
  const answer = await call({ method: 'GET', url: '/api/v1/admin/analytics/attention?tenant_id=1' })
  expect(answer.statusCode).toBe(422)
})
