import { makeUser } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startSession } from '#src/auth/sessions/sessions.service.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api

type Call = { method: 'PATCH' | 'DELETE' | 'POST'; path: string; body?: object }

/** All calls that take the role or the access from a super admin. */
const WAYS: Record<string, (id: string) => Call> = {
  'team role': (id) => ({ method: 'PATCH', path: `team/${id}`, body: { role: 'auditor' } }),
  'team status': (id) => ({ method: 'PATCH', path: `team/${id}`, body: { is_active: false } }),
  'team removal': (id) => ({ method: 'DELETE', path: `team/${id}` }),
  'users toggle': (id) => ({ method: 'PATCH', path: `tenant-admins/${id}/toggle`, body: { is_active: false } }),
  'users status': (id) => ({ method: 'PATCH', path: `tenant-admins/${id}`, body: { is_active: false } }),
  'users deletion': (id) => ({ method: 'DELETE', path: `tenant-admins/${id}` }),
  'users bulk': (id) => ({ method: 'POST', path: 'tenant-admins/bulk', body: { action: 'deactivate', ids: [id] } }),
}
const ways = Object.values(WAYS)

/** The only two active super admins, each with a session. */
async function makePair() {
  await db.updateTable('users').set({ is_active: false }).where('role', '=', 'super_admin').execute()
  const [one, other] = [await makeUser(db), await makeUser(db)]
  const tokens = await Promise.all(
    [one, other].map(({ id }) => startSession(api.deps, db, { user_id: id, address: null, user_agent: null })),
  )
  const call = (n: number, { path, ...request }: Call) =>
    api.call({
      ...request,
      url: `/api/v1/admin/${path}`,
      headers: { authorization: `Bearer ${tokens[n]?.access_token}` },
    })
  return { one, other, call }
}

async function activeSuperAdmins(): Promise<number> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'super_admin')
    .where('is_active', '=', true)
    .execute()
  return rows.length
}

test('one super admin remains when two act on each other at once, on each pair of ways', async () => {
  const left: number[] = []
  for (const mine of ways)
    for (const theirs of ways) {
      const { one, other, call } = await makePair()
      await Promise.all([call(0, mine(other.id)), call(1, theirs(one.id))])
      left.push(await activeSuperAdmins())
    }
  expect(left).toEqual(left.map(() => 1))
})

test('one super admin remains after each of 100 rounds of all ways in both directions at once', async () => {
  const left: number[] = []
  for (let round = 0; round < 100; round += 1) {
    const { one, other, call } = await makePair()
    await Promise.all(ways.flatMap((way) => [call(0, way(other.id)), call(1, way(one.id))]))
    left.push(await activeSuperAdmins())
  }
  expect(left).toEqual(left.map(() => 1))
})

test.for(Object.entries(WAYS))('%s changes no super admin for an admin who lost the role', async ([, way]) => {
  const { one, other, call } = await makePair()
  await db.updateTable('users').set({ role: 'support' }).where('id', '=', other.id).execute()
  await call(1, way(one.id))
  expect(await activeSuperAdmins()).toBe(1)
})
