import { makeUser } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { enrollTotp } from '#src/testing/enrolled-accounts.ts'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()

/** The increase of the failures by reason during `work`, without zeros. */
async function countedDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts = async () =>
    new Map(
      [...(await api.app.metrics.metrics()).matchAll(/^sign_in_failures_total\{reason="(\w+)"\} (\d+)$/gm)].map(
        ([, reason = '', count]) => [reason, Number(count)],
      ),
    )
  const before = await counts()
  await work()
  const after = [...(await counts())].map(([reason, count]) => [reason, count - (before.get(reason) ?? 0)] as const)
  return Object.fromEntries(after.filter(([, count]) => count > 0))
}

test('a sign-in is not a failure', async () => {
  expect(await countedDuring(() => api.signIn())).toEqual({})
})

test('a wrong password and an unknown account count as one reason', async () => {
  const { admin } = await api.signIn()
  const counted = await countedDuring(async () => {
    expect((await api.login(admin.email, 'five kettles under plum')).statusCode).toBe(401)
    expect((await api.login('nobody@example.com')).statusCode).toBe(401)
  })
  expect(counted).toEqual({ wrong_password: 2 })
})

test('the right password of an account with a second factor is not a failure, but a wrong code is', async () => {
  const session = await api.signIn()
  await enrollTotp(api, session)
  const counted = await countedDuring(async () => {
    const { challenge } = (await api.login(session.admin.email)).json()
    const body = { id: challenge.id, code: '000000' }
    expect((await api.call({ method: 'POST', url: '/api/v1/admin/auth/challenge', body })).statusCode).toBe(401)
  })
  expect(counted).toEqual({ second_factor: 1 })
})

test('a password counts as its own reason while only break-glass accounts may use one', async () => {
  const { admin } = await api.signIn()
  api.deps.isPasswordSignInOn = false
  const counted = await countedDuring(async () => expect((await api.login(admin.email)).statusCode).toBe(403))
  api.deps.isPasswordSignInOn = true
  expect(counted).toEqual({ password_sign_in_off: 1 })
})

test('a sign-in after too many failures counts as its own reason', async () => {
  const { email } = await makeUser(api.db, { password_hash: await api.deps.passwords.hash(PASSWORD) })
  for (let n = 0; n < 10; n += 1) await api.login(email, 'wrong wrong wrong')
  const counted = await countedDuring(async () => expect((await api.login(email)).statusCode).toBe(429))
  expect(counted).toEqual({ too_many_attempts: 1 })
})
