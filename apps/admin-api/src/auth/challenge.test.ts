import { PASSWORD_SIGN_IN_OFF } from '@switchboard/contract/single-sign-on'
import { makeUser } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { enrollTotp } from '#src/testing/enrolled-accounts.ts'
import { createAuthenticator } from '#src/testing/software-authenticator.ts'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const SITE = { origin: 'https://console.example.com', rp_id: 'console.example.com' }
const HOST = { host: SITE.rp_id }
const api = await startTestApi({ publicUrl: SITE.origin })
const { db, clock } = api

const post = (path: string, body: object, remoteAddress = '127.0.0.1') =>
  api.app.inject({ method: 'POST', url: `/api/v1/admin/${path}`, payload: body, remoteAddress, headers: HOST })
const login = (email: string, address?: string) => post('auth/login', { email, password: PASSWORD }, address)
const answer = (id: string, proof: object, address?: string) => post('auth/challenge', { id, ...proof }, address)
const challengeOf = async (email: string) => (await login(email)).json().challenge
const failures = async () =>
  await db.selectFrom('sign_in_attempts').select('id').where('is_forgiven', '=', false).execute()
const reasons = async (email: string) =>
  (
    await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('actor_email', '=', email)
      .where('action', '=', 'auth.login')
      .orderBy('seq')
      .execute()
  ).map(({ outcome, reason, changes }) => [outcome, reason ?? changes])

/** An account with an authenticator app, without a session. The code of its enrollment is used: the clock moves on. */
async function enrolled() {
  const session = await signIn()
  const totp = await enrollTotp(api, session)
  await db.deleteFrom('sign_in_attempts').execute()
  await db.deleteFrom('sessions').where('user_id', '=', session.admin.id).execute()
  api.minutesLater(1)
  return { ...totp, email: session.admin.email, id: session.admin.id }
}

/** Sends the host of the console with each call. */
async function signIn() {
  const email = `${crypto.randomUUID()}@example.com`
  const admin = await makeUser(db, { email, password_hash: await api.deps.passwords.hash(PASSWORD) })
  const token: string = (await login(email)).json().access_token
  const call: Awaited<ReturnType<typeof api.signIn>>['call'] = (request) =>
    api.call({ ...request, headers: { ...HOST, authorization: `Bearer ${token}` } })
  return { admin, call }
}

async function addPasskey(
  session: Awaited<ReturnType<typeof signIn>>,
  authenticator: ReturnType<typeof createAuthenticator>,
) {
  const url = '/api/v1/admin/auth/second-factors/passkey'
  const { id, passkey } = (await session.call({ method: 'POST', url: `${url}/begin` })).json()
  const body = { id, name: 'Laptop', passkey: authenticator.create(passkey.challenge) }
  expect((await session.call({ method: 'POST', url, body })).statusCode).toBe(201)
}

beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  await db.deleteFrom('sign_in_attempts').execute()
})

describe('an account with a second factor', () => {
  test('gets a challenge for the right password, and no session', async () => {
    const { email, id } = await enrolled()
    const asked = await login(email)
    expect([asked.statusCode, asked.json()]).toMatchObject([
      401,
      {
        detail: 'Confirm the sign-in with your second factor.',
        challenge: { id: expect.any(String), methods: ['totp', 'recovery_code'], passkey: null },
      },
    ])
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([])
    expect(await reasons(email)).toContainEqual(['refused', 'Confirm the sign-in with your second factor.'])
  })

  test('gets the same answer as every other account for a wrong password', async () => {
    const { email } = await enrolled()
    const wrong = await post('auth/login', { email, password: 'wrong' })
    expect([wrong.statusCode, wrong.body]).toEqual([
      401,
      '{"detail":"Invalid email or password","code":"unauthorized"}',
    ])
  })

  test('signs in with a code once, and the audit log names the method', async () => {
    const { email, id, codeAt } = await enrolled()
    const [first, second] = [await challengeOf(email), await challengeOf(email)]
    const done = await answer(first.id, { code: codeAt() })
    expect([done.statusCode, done.json()]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'bearer',
        expires_at: '2026-11-21T00:01:00.000Z',
        admin: expect.objectContaining({ id, email, role: 'super_admin' }),
      },
    ])
    expect((await reasons(email)).at(-1)).toEqual([
      'done',
      expect.objectContaining({ method: { before: null, after: 'totp' } }),
    ])
    const again = await answer(second.id, { code: codeAt() })
    expect(again.json()).toMatchObject({
      detail: 'This code is not right, or was used before. Wait for the next code.',
    })
    expect((await answer(first.id, { code: codeAt(1) })).json()).toMatchObject({ code: 'challenge_ended' })
    expect((await answer(second.id, { code: codeAt(1) })).statusCode).toBe(200)
  })

  test('signs in with each recovery code once, typed in any case', async () => {
    const { email, recoveryCodes } = await enrolled()
    const typed = recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ')
    expect((await answer((await challengeOf(email)).id, { recovery_code: typed })).statusCode).toBe(200)
    const again = await answer((await challengeOf(email)).id, { recovery_code: recoveryCodes[0] })
    expect(again.json()).toMatchObject({ detail: 'This recovery code is not right, or was used before.' })
    expect((await answer((await challengeOf(email)).id, { recovery_code: recoveryCodes[1] })).statusCode).toBe(200)
    expect((await reasons(email)).at(-1)).toEqual([
      'done',
      expect.objectContaining({ method: { before: null, after: 'recovery_code' } }),
    ])
  })

  test('has five minutes and five answers', async () => {
    const { email, codeAt } = await enrolled()
    const late = await challengeOf(email)
    api.minutesLater(5)
    expect((await answer(late.id, { code: codeAt() })).json()).toMatchObject({
      detail: 'This sign-in has ended. Enter your password again.',
      code: 'challenge_ended',
    })
    const { id } = await challengeOf(email)
    const answers = []
    for (let n = 0; n < 6; n += 1) answers.push((await answer(id, { code: `00000${n}` })).json().code)
    expect(answers).toEqual([...Array(4).fill('unauthorized'), 'challenge_ended', 'challenge_ended'])
    expect((await answer(id, { code: codeAt() })).statusCode).toBe(401)
  })

  test('has at most five of 100 parallel guesses checked', async () => {
    const { email, codeAt } = await enrolled()
    const { id } = await challengeOf(email)
    const guesses = Array.from({ length: 100 }, (_, n) =>
      answer(id, { code: String(n).padStart(6, '0') }, `198.51.100.${n}`),
    )
    for (const { statusCode } of await Promise.all(guesses)) expect(statusCode).toBe(401)
    const checked = (await reasons(email)).filter(
      ([, reason]) => typeof reason === 'string' && reason.startsWith('This code is not right'),
    )
    expect(checked).toHaveLength(5)
    expect((await answer(id, { code: codeAt() })).statusCode).toBe(401)
  })

  test('is counted by the throttle until the sign-in is complete', async () => {
    const { email, codeAt } = await enrolled()
    const { id } = await challengeOf(email)
    for (let n = 0; n < 4; n += 1) await answer(id, { code: `00000${n}` })
    expect(await failures()).toHaveLength(5)
    expect((await answer(id, { code: codeAt() })).statusCode).toBe(200)
    expect(await failures()).toHaveLength(0)
    for (let n = 0; n < 10; n += 1) await login(email)
    expect((await login(email)).statusCode).toBe(429)
  })

  test.for([
    ['a new password', { password_hash: 'another' }],
    ['a deactivation', { is_active: false }],
  ] as const)('loses its challenge by %s', async ([, change]) => {
    const { email, id, codeAt } = await enrolled()
    const challenge = await challengeOf(email)
    await db.updateTable('users').set(change).where('id', '=', id).execute()
    expect((await answer(challenge.id, { code: codeAt() })).statusCode).toBe(401)
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([])
  })
})

describe('a passkey', () => {
  const begin = async () => (await post('auth/passkey', {})).json()

  test('is a second factor, and a repeated signature is refused', async () => {
    const [session, authenticator] = [await signIn(), createAuthenticator(SITE, { verifies: false })]
    await addPasskey(session, authenticator)
    const { id, methods, passkey } = await challengeOf(session.admin.email)
    expect(methods).toEqual(['passkey', 'recovery_code'])
    const proof = { passkey: authenticator.answer(passkey.challenge) }
    const second = await challengeOf(session.admin.email)
    expect((await answer(second.id, proof)).json()).toMatchObject({ detail: 'This passkey could not be verified.' })
    expect((await answer(id, proof)).statusCode).toBe(200)
    expect((await answer(id, proof)).json()).toMatchObject({ code: 'challenge_ended' })
  })

  test('that verifies its user signs in without a password', async () => {
    const [session, authenticator] = [await signIn(), createAuthenticator(SITE)]
    await addPasskey(session, authenticator)
    const { id, methods, passkey } = await begin()
    expect([methods, passkey]).toEqual([
      ['passkey'],
      { challenge: expect.any(String), rp_id: SITE.rp_id, user_verification: 'required', credentials: [] },
    ])
    const done = await answer(id, { passkey: authenticator.answer(passkey.challenge) })
    expect(done.json().admin).toMatchObject({ email: session.admin.email })
  })

  test('does not sign in without a password while passwords are turned off', async () => {
    const [session, authenticator] = [await signIn(), createAuthenticator(SITE)]
    await addPasskey(session, authenticator)
    const { id, passkey } = await begin()
    api.deps.isPasswordSignInOn = false
    onTestFinished(() => void (api.deps.isPasswordSignInOn = true))
    const refused = await answer(id, { passkey: authenticator.answer(passkey.challenge) })
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { detail: PASSWORD_SIGN_IN_OFF }])
  })

  test('does not sign in to an account that may only use single sign-on', async () => {
    const [session, authenticator] = [await signIn(), createAuthenticator(SITE)]
    await addPasskey(session, authenticator)
    const single = { password_hash: 'none', may_use_password: false }
    await db.updateTable('users').set(single).where('id', '=', session.admin.id).execute()
    const { id, passkey } = await begin()
    const refused = await answer(id, { passkey: authenticator.answer(passkey.challenge) })
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { detail: PASSWORD_SIGN_IN_OFF }])
  })

  test('that does not verify its user, or that is unknown, does not sign in without a password', async () => {
    const [session, authenticator] = [await signIn(), createAuthenticator(SITE, { verifies: false })]
    await addPasskey(session, authenticator)
    for (const each of [authenticator, createAuthenticator(SITE)]) {
      const { id, passkey } = await begin()
      const refused = await answer(id, { passkey: each.answer(passkey.challenge) })
      expect([refused.statusCode, refused.json()]).toMatchObject([
        401,
        { detail: 'This passkey could not be verified.' },
      ])
    }
  })

  test('that is refused leaves its reason in the log, and a fault leaves its error', async () => {
    const [session, authenticator] = [await signIn(), createAuthenticator(SITE)]
    await addPasskey(session, authenticator)
    const refuse = async () => {
      const { id, passkey } = await begin()
      api.logLines.length = 0
      expect((await answer(id, { passkey: authenticator.answer(passkey.challenge) })).statusCode).toBe(401)
      return api.logLines.join('')
    }
    const factors = db.updateTable('second_factors').where('user_id', '=', session.admin.id)
    await factors.set({ sign_count: 1_000 }).execute()
    expect(await refuse()).toMatch(/"level":"info".*"reason":"Response counter value.*a passkey was refused/)
    // A COSE key of the curve P-256 with empty coordinates.
    await factors.set({ sign_count: 0, public_key: Buffer.from('a501020326200121402240', 'hex') }).execute()
    expect(await refuse()).toMatch(/"level":"warn".*"err":.*a passkey could not be verified/)
  })

  test('of a deactivated account does not sign in', async () => {
    const [session, authenticator] = [await signIn(), createAuthenticator(SITE)]
    await addPasskey(session, authenticator)
    await db.updateTable('users').set({ is_active: false }).where('id', '=', session.admin.id).execute()
    const { id, passkey } = await begin()
    expect((await answer(id, { passkey: authenticator.answer(passkey.challenge) })).statusCode).toBe(401)
  })

  test('without an account has at most twenty open challenges per address', async () => {
    for (let n = 0; n < 25; n += 1) await begin()
    const open = await db.selectFrom('sign_in_challenges').select('id').where('user_id', 'is', null).execute()
    expect(open.length).toBeLessThanOrEqual(21)
  })

  test('without a password takes no code', async () => {
    const { codeAt } = await enrolled()
    expect((await answer((await begin()).id, { code: codeAt() })).statusCode).toBe(401)
  })
})
