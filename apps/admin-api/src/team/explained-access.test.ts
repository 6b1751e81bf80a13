import { unexplainedAccess } from '@switchboard/backup/unexplained-access'
import { beforeEach, expect, test } from 'vitest'
import { startSsoWorld } from '#src/testing/sso-world.ts'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'
import { createSuperAdmin } from '#src/users/super-admins.service.ts'

// Everything that gives access to the console writes an entry that explains the access, and later changes keep it
// explained.

const api = await startTestApi()
const ada = await api.signIn('ada@example.com')
beforeEach(async () => {
  await ada.call({ method: 'POST', url: '/api/v1/admin/auth/confirm', body: { password: PASSWORD } })
})

const send = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
  const answer = await ada.call({ method, url: `/api/v1/admin/${url}`, ...(body === undefined ? {} : { body }) })
  expect(answer.statusCode, `${method} ${url}`).toBeLessThan(300)
  return answer
}
/** The unexplained access, except that of Ada, whom the tests write directly to the database. */
const unexplained = async () => {
  const found = await unexplainedAccess(api.db, undefined)
  expect(found).toContainEqual(expect.objectContaining({ id: ada.admin.id }))
  return found.filter(({ id }) => id !== ada.admin.id)
}

test('a member by invitation, through each change', async () => {
  const { link } = (await send('POST', 'invitations', { email: 'bob@example.com', role: 'support' })).json()
  const body = { token: link.split('#')[1], password: 'seven sisters walk at dusk' }
  await api.call({ method: 'POST', url: '/api/v1/admin/auth/invitations/accept', body })
  const { id } = await api.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'bob@example.com')
    .executeTakeFirstOrThrow()
  expect(await unexplained()).toEqual([])
  const changes: (() => Promise<unknown>)[] = [
    () => send('PATCH', `team/${id}`, { role: 'super_admin' }),
    () => send('PATCH', `team/${id}`, { is_active: false }),
    () => send('PATCH', `team/${id}`, { is_active: true, role: 'auditor' }),
    () => send('PATCH', `tenant-admins/${id}/toggle`, { is_active: false }),
    () => send('POST', 'tenant-admins/bulk', { action: 'activate', ids: [id] }),
    () => send('PATCH', `tenant-admins/${id}`, { email: 'robert@example.com' }),
    () => send('DELETE', `team/${id}`),
    () => send('POST', `tenant-admins/${id}/restore`),
    () => send('DELETE', `tenant-admins/${id}`),
    () => send('POST', 'tenant-admins/bulk', { action: 'restore', ids: [id] }),
  ]
  for (const change of changes) {
    await change()
    expect(await unexplained(), String(change)).toEqual([])
  }
  const member = await api.db
    .selectFrom('users')
    .select(['role', 'is_active'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(member).toEqual({ role: 'auditor', is_active: true })
})

test('a super admin created on the command line, and a service token', async () => {
  await createSuperAdmin(api.deps, 'grace@example.com')
  const { id } = (await send('POST', 'tokens', { name: 'Billing', scopes: ['read', 'tenants:write'] })).json()
  expect(await unexplained()).toEqual([])
  await send('DELETE', `tokens/${id}`)
  expect(await unexplained()).toEqual([])
  await api.db.updateTable('service_tokens').set({ revoked_at: null }).where('id', '=', id).execute()
  expect(await unexplained()).toMatchObject([{ id, reason: 'an entry of the audit log ended its access' }])
})

test('an account created by single sign-on, also after it gets another role at its next sign-in', async () => {
  const { db, personAt, provider } = await startSsoWorld()
  const { subject, email, browser } = personAt({ groups: ['helpers'] })
  for (const group of ['helpers', 'platform-admins']) {
    provider.people.set(subject, { email, email_verified: true, groups: [group] })
    expect((await browser.signIn(subject)).status).toBe(200)
    const found = await unexplainedAccess(db, undefined)
    expect(found.map(({ name }) => name)).toEqual(['owner@example.com'])
  }
})
