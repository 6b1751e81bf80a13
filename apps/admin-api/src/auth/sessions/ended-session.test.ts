import { makeUser, makeApiKey, makeTask, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn('ada@example.com')
const url = '/api/v1/admin'

const bulk = (list: string, action: string, ids: string[], who: typeof actor) =>
  who.call({ method: 'POST', url: `${url}/${list}/bulk`, body: { action, ids } })

const made = {
  tenants: () => makeTenant(db),
  users: () => makeUser(db),
  api_keys: async () => await makeApiKey(db, { tenant_id: (await makeTenant(db)).id }),
  tasks: async () => await makeTask(db, { tenant_id: (await makeTenant(db)).id }),
}
type Table = keyof typeof made
const LISTS = { tenants: 'tenants', users: 'tenant-admins', api_keys: 'api-keys', tasks: 'tasks' }

/** Deletes four rows and holds the second until the session has ended. Returns the deleted rows and the answer. */
async function deletionBrokenOff(table: Table, who: typeof actor, endSession: () => Promise<{ statusCode: number }>) {
  const ids: string[] = []
  for (let count = 0; count < 4; count += 1) ids.push((await made[table]()).id)
  const holder = await db.startTransaction().execute()
  await holder
    .selectFrom(table)
    .select('id')
    .where('id', '=', ids[1] ?? '')
    .forUpdate()
    .execute()
  const answer = bulk(LISTS[table], 'delete', ids, who)
  await expect.poll(() => api.doneTo(ids[0] ?? '')).toHaveLength(1)
  expect((await endSession()).statusCode).toBeLessThan(300)
  await holder.rollback().execute()
  const { statusCode, payload } = await answer
  const deletions = await Promise.all(ids.map((id) => api.doneTo(id)))
  return { statusCode, body: JSON.parse(payload), deleted: deletions.map(({ length }) => length === 1) }
}

// The row in progress when the session ended is completed.
const brokenOff = {
  statusCode: 401,
  body: { detail: 'Not authenticated', code: 'unauthorized' },
  deleted: [true, true, false, false],
}

test.for(['tenants', 'users', 'api_keys', 'tasks'] as const)(
  'after a sign-out, no further %s are deleted',
  async (table) => {
    const leaving = await api.signIn()
    const signOut = () => leaving.call({ method: 'POST', url: `${url}/auth/logout` })
    expect(await deletionBrokenOff(table, leaving, signOut)).toEqual(brokenOff)
  },
)

test('after a deactivation, no further rows change', async () => {
  const leaving = await api.signIn()
  const deactivate = () => bulk('tenant-admins', 'deactivate', [leaving.admin.id], actor)
  expect(await deletionBrokenOff('tenants', leaving, deactivate)).toEqual(brokenOff)
})

test('with a token from before a new password, no further rows change', async () => {
  const leaving = await api.signIn()
  const body = { current_password: PASSWORD, new_password: 'seven sisters walk at dusk' }
  // Loads the dictionaries before the wait for a lock, because this wait ends after two seconds.
  const checked = { password: body.new_password, owner: 'console', names: [] }
  await leaving.call({ method: 'POST', url: `${url}/passwords/check`, body: checked })
  const changePassword = () => leaving.call({ method: 'PUT', url: `${url}/auth/profile`, body })
  expect(await deletionBrokenOff('tenants', leaving, changePassword)).toEqual(brokenOff)
})
