import { makeUser } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'
import { createSuperAdmin } from '#src/users/super-admins.service.ts'

const api = await startTestApi({ isPasswordSignInOn: false })
const password_hash = await api.deps.passwords.hash(PASSWORD)
const OFF = 'Sign in with single sign-on. Passwords are turned off for this account.'

test('a right password is refused with a sentence, and audited', async () => {
  const { id } = await makeUser(api.db, { email: 'ada@example.com', password_hash })
  const answer = await api.login('ada@example.com')
  expect([answer.statusCode, answer.json()]).toMatchObject([403, { detail: OFF }])
  expect(await api.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([])
  const last = await api.db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').executeTakeFirst()
  expect(last).toMatchObject({ action: 'auth.login', outcome: 'refused', reason: OFF })
})

test('a wrong password gets the same answer for every account', async () => {
  const { email } = await createSuperAdmin(api.deps, 'glass@example.com')
  await makeUser(api.db, { email: 'grace@example.com', password_hash })
  for (const address of [email, 'grace@example.com', 'unknown@example.com']) {
    const answer = await api.login(address, 'not the password at all')
    expect([answer.statusCode, answer.body]).toEqual([
      401,
      '{"detail":"Invalid email or password","code":"unauthorized"}',
    ])
  }
})

test('a break-glass account from the command line signs in', async () => {
  const { email, password } = await createSuperAdmin(api.deps, 'fire@example.com')
  expect((await api.login(email, password)).statusCode).toBe(200)
})
