import { makeUser, makeTenant } from '@switchboard/testing/factories'
import { StartError } from '@switchboard/database/start/start-error'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'
import { createFirstAdmin, createSuperAdmin, resetPassword } from './super-admins.service.ts'

const api = await startTestApi()
const { db, deps } = api
const login = (email: string, password: string) =>
  api.call({ method: 'POST', url: '/api/v1/admin/auth/login', body: { email, password } })

test('of many processes starting at once one creates the first super admin, and the password signs in', async () => {
  const made = await Promise.all(
    Array.from({ length: 5 }, () => createFirstAdmin(deps, { email: 'first@example.com', password: null })),
  )
  const [credentials, ...more] = made.filter((one) => one !== null)

  expect(more).toEqual([])
  expect(await db.selectFrom('users').select('email').where('role', '=', 'super_admin').execute()).toEqual([
    { email: 'first@example.com' },
  ])
  expect((await login('first@example.com', credentials?.password ?? '')).statusCode).toBe(200)
  expect(await createFirstAdmin(deps, { email: 'second@example.com', password: null })).toBeNull()
})

test.for([
  ['password', /at least 12 characters/],
  ['passwordpassword', /too common/],
  ['123456789012', /too common/],
  ['my switchboard 7', /“switchboard”/],
  ['administrator!', /“admin”/],
] as const)('the first super admin cannot have the password %s', async ([password, reason]) => {
  const other = await startTestApi()
  const made = createFirstAdmin(other.deps, { email: 'admin@example.com', password })
  await expect(made).rejects.toThrow(StartError)
  await expect(made).rejects.toThrow(reason)
  await expect(made).rejects.toThrow(/^SUPER_ADMIN_PASSWORD cannot be used\./)
  expect(await other.db.selectFrom('users').select('id').execute()).toEqual([])
})

test('a reset password signs in, ends all sessions, lifts the throttle and is audited', async () => {
  const { token } = await api.signIn('forgot@example.com')
  for (let n = 0; n < 10; n += 1) await login('forgot@example.com', 'wrong')
  const { password } = await resetPassword(deps, 'FORGOT@example.com')

  expect(
    (await api.call({ method: 'GET', url: '/api/v1/admin/auth/me', headers: { authorization: `Bearer ${token}` } }))
      .statusCode,
  ).toBe(401)
  expect((await login('forgot@example.com', password)).statusCode).toBe(200)
  const audited = await db
    .selectFrom('audit_entries')
    .select(['actor_email', 'target_name'])
    .where('action', '=', 'super_admins.reset-password')
    .execute()
  expect(audited).toEqual([{ actor_email: 'command line', target_name: 'forgot@example.com' }])
})

test('a password is reset only for active accounts of the console', async () => {
  const tenant = await makeTenant(db)
  await makeUser(db, { email: 'ordinary@example.com', role: 'admin', tenant_id: tenant.id })
  await makeUser(db, { email: 'asleep@example.com', is_active: false })
  await expect(resetPassword(deps, 'nobody@example.com')).rejects.toThrow('Super admin not found')
  await expect(resetPassword(deps, 'ordinary@example.com')).rejects.toThrow('not an active account of the console')
  await expect(resetPassword(deps, 'asleep@example.com')).rejects.toThrow('not an active account of the console')
})

test('another super admin can be created, once per address in any case', async () => {
  const { password } = await createSuperAdmin(deps, 'another@example.com', ' Ann Other ')
  const answer = await login('another@example.com', password)
  expect([answer.statusCode, answer.json().admin.name]).toEqual([200, 'Ann Other'])
  await expect(createSuperAdmin(deps, 'Another@Example.com')).rejects.toThrow('users_email_unique')
  await expect(createSuperAdmin(deps, 'no address')).rejects.toThrow('Enter a valid email address.')
})
