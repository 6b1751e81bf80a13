import { makeUser } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { resetPassword } from '#src/users/super-admins.service.ts'
import type { Attempt } from '@switchboard/sign-in/throttle.queries'
import { attemptAt } from '@switchboard/sign-in/throttle'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const passwords = await createPasswords()
let whileHashing: () => Promise<unknown> = async () => {}
const api = await startTestApi({
  passwords: {
    ...passwords,
    verify: async (stored, password) => {
      const matches = await passwords.verify(stored, password)
      await whileHashing()
      return matches
    },
  },
})
const { db, clock, me, login, minutesLater, doneTo, refusedTo } = api
const url = '/api/v1/admin/auth/profile'
const NEW_PASSWORD = 'seven sisters walk at dusk'
type SignedIn = Awaited<ReturnType<typeof api.signIn>>

const put = (who: SignedIn, body: object) => who.call({ method: 'PUT', url, body })
const failures = async (count: number, attempt: (n: number) => Attempt) =>
  await db
    .insertInto('sign_in_attempts')
    .values(Array.from({ length: count }, (_, n) => ({ ...attempt(n), at: clock.at })))
    .execute()

beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  whileHashing = async () => {}
  await db.deleteFrom('sign_in_attempts').execute()
})

describe('changing the email address', () => {
  test('with the current password answers the admin and is audited', async () => {
    const ada = await api.signIn('ada@example.com')
    const answer = await put(ada, { email: ' Ada.L@example.com ', current_password: PASSWORD })

    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        id: ada.admin.id,
        email: 'Ada.L@example.com',
        name: null,
        role: 'super_admin',
        is_active: true,
        created_at: ada.admin.created_at,
      },
    ])
    expect((await me(ada.token)).json().email).toBe('Ada.L@example.com')
    expect((await doneTo(ada.admin.id))[0]).toMatchObject({
      action: 'auth.profile',
      changes: { email: { before: 'ada@example.com', after: 'Ada.L@example.com' } },
    })
  })

  test('needs the password even right after signing in, names the field, and accepts only the right one', async () => {
    const ada = await api.signIn()
    const refusal = await put(ada, { email: 'later@example.com' })
    expect(refusal.statusCode).toBe(422)
    expect(refusal.json().detail[0].loc).toEqual(['body', 'current_password'])
    const wrong = await put(ada, { email: 'later@example.com', current_password: 'wrong' })
    expect([wrong.statusCode, wrong.json()]).toMatchObject([400, { detail: 'Current password is incorrect' }])
    expect((await put(ada, { email: 'later@example.com', current_password: PASSWORD })).statusCode).toBe(200)
  })

  test('an address in use is 409 with a sentence, an invalid address is 422', async () => {
    const ada = await api.signIn()
    await makeUser(db, { email: 'taken@example.com' })
    const answer = await put(ada, { email: 'TAKEN@example.com', current_password: PASSWORD })
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { detail: 'This email address is already in use.' }])
    expect((await put(ada, { email: '' })).statusCode).toBe(422)
  })

  test('to the current address changes and audits nothing', async () => {
    const ada = await api.signIn('same@example.com')
    expect((await put(ada, { email: 'same@example.com' })).statusCode).toBe(200)
    expect(await doneTo(ada.admin.id)).toEqual([])
  })
})

describe('changing the name', () => {
  test('needs no password, is audited, and null removes the name', async () => {
    const ada = await api.signIn()
    expect((await put(ada, { name: ' Ada Lovelace ' })).json()).toMatchObject({ name: 'Ada Lovelace' })
    expect((await me(ada.token)).json().name).toBe('Ada Lovelace')
    expect((await doneTo(ada.admin.id))[0]).toMatchObject({
      action: 'auth.profile',
      changes: { name: { before: null, after: 'Ada Lovelace' } },
    })
    expect((await put(ada, { name: null })).json().name).toBeNull()
    expect((await put(ada, { name: null })).statusCode).toBe(200)
    expect(await doneTo(ada.admin.id)).toHaveLength(2)
  })

  test('together with the address changes both or neither', async () => {
    const ada = await api.signIn()
    const body = { name: 'Ada', email: 'ada.both@example.com' }
    expect((await put(ada, { ...body, current_password: 'wrong' })).statusCode).toBe(400)
    expect((await me(ada.token)).json().name).toBeNull()
    expect((await put(ada, { ...body, current_password: PASSWORD })).json()).toMatchObject(body)
  })

  test.for([{ name: ' ' }, { name: 'x'.repeat(101) }, { name: 'Ada', new_password: NEW_PASSWORD }, {}])(
    '%j is refused',
    async (body) => {
      const ada = await api.signIn()
      expect((await put(ada, { current_password: PASSWORD, ...body })).statusCode).toBe(422)
    },
  )
})

describe('changes made while the current password is hashed take precedence', () => {
  const cases: [string, (who: SignedIn) => Promise<unknown>][] = [
    ['a reset', ({ admin }) => resetPassword({ ...api.deps, passwords }, admin.email)],
    [
      'a deactivation',
      ({ admin }) => db.updateTable('users').set({ is_active: false }).where('id', '=', admin.id).execute(),
    ],
    ['a deletion', ({ admin }) => db.deleteFrom('users').where('id', '=', admin.id).execute()],
    ['a sign-out', (who) => who.call({ method: 'POST', url: '/api/v1/admin/auth/logout' })],
  ]
  const updates: [string, object][] = [
    ['the address', { email: 'too.late@example.com', current_password: PASSWORD }],
    ['the password', { new_password: NEW_PASSWORD, current_password: PASSWORD }],
  ]
  test.for(cases.flatMap(([what, happens]) => updates.map(([of, body]) => ({ what, happens, of, body }))))(
    '$what: $of stays',
    async ({ happens, body }) => {
      const ada = await api.signIn()
      whileHashing = () => happens(ada)
      expect((await put(ada, body)).statusCode).toBe(401)
      expect((await doneTo(ada.admin.id)).filter(({ action }) => action === 'auth.profile')).toEqual([])
      const stored = await db.selectFrom('users').select('email').where('id', '=', ada.admin.id).execute()
      expect(stored.filter(({ email }) => email !== ada.admin.email)).toEqual([])
    },
  )

  test('a change of the address appears in the next entry', async () => {
    const ada = await api.signIn('first@example.com')
    whileHashing = async () => {
      whileHashing = async () => {}
      await put(ada, { email: 'second@example.com', current_password: PASSWORD })
    }
    await put(ada, { email: 'third@example.com', current_password: PASSWORD })
    expect((await doneTo(ada.admin.id)).map(({ changes }) => changes)).toEqual([
      { email: { before: 'first@example.com', after: 'second@example.com' } },
      { email: { before: 'second@example.com', after: 'third@example.com' } },
    ])
  })
})

describe('changing the password', () => {
  test('keeps this session under a new token, with the same end', async () => {
    const ada = await api.signIn('renewed@example.com')
    minutesLater(60)
    const { access_token, expires_at, ...admin } = (
      await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD })
    ).json()

    expect(admin).toMatchObject({ id: ada.admin.id, email: 'renewed@example.com' })
    expect(access_token).toMatch(/^[\w-]{43}$/)
    expect(expires_at).toBe('2026-11-21T00:00:00.000Z')
    expect((await me(ada.token)).statusCode).toBe(401)
    expect((await me(access_token)).statusCode).toBe(200)
    expect(JSON.stringify(await db.selectFrom('sessions').selectAll().execute())).not.toContain(access_token)
  })

  test('ends all other sessions, and the new one signs in', async () => {
    const ada = await api.signIn('changed@example.com')
    const other = (await login('changed@example.com')).json().access_token
    const answer = await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD })

    expect(answer.statusCode).toBe(200)
    expect((await me(other)).statusCode).toBe(401)
    expect((await login('changed@example.com')).statusCode).toBe(401)
    expect((await login('changed@example.com', NEW_PASSWORD)).statusCode).toBe(200)
  })

  test('is audited without password or hash', async () => {
    const ada = await api.signIn()
    await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD })
    expect((await doneTo(ada.admin.id))[0]?.changes).toEqual({ password: { before: '•••', after: '•••' } })
    const everything =
      JSON.stringify(await db.selectFrom('audit_entries').selectAll().execute()) + api.logLines.join('')
    expect(everything).not.toMatch(/argon2|seven sisters|correct horse/)
  })

  test('with a wrong current password is 400, audited, and throttled like a sign-in', async () => {
    const ada = await api.signIn('guessed@example.com')
    const guess = () => put(ada, { current_password: 'wrong', new_password: NEW_PASSWORD })
    const answers = await Promise.all(Array.from({ length: 20 }, guess))
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(10)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(10)
    expect(refused[0]?.headers['retry-after']).toBe('900')
    expect((await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD })).statusCode).toBe(429)
    const reasons = (await refusedTo(ada.admin.id)).map(({ reason }) => reason)
    expect(reasons).toContain('Current password is incorrect')
  })

  test('is open to the signed-in admin, however often strangers fail', async () => {
    const ada = await api.signIn('besieged@example.com')
    await failures(100, (n) => attemptAt('besieged@example.com', `198.51.100.${n}`))
    await failures(100, (n) => attemptAt(`neighbor-${n}@example.com`, '127.0.0.1'))
    expect((await login('newcomer@example.com')).statusCode).toBe(429)
    expect((await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD })).statusCode).toBe(200)
  })

  test('is throttled over all addresses of one session', async () => {
    const ada = await api.signIn()
    const { id } = await db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', ada.admin.id)
      .executeTakeFirstOrThrow()
    await failures(99, (n) => attemptAt(`session ${id}`, `198.51.100.${n}`))
    const wrong = { current_password: 'wrong', new_password: NEW_PASSWORD }
    expect((await put(ada, wrong)).statusCode).toBe(400)
    expect((await put(ada, wrong)).statusCode).toBe(429)
  })

  const refused: [string, object, string, string | RegExp][] = [
    ['too short', { new_password: 'kN8!vt2' }, 'new_password', 'New password must be at least 8 characters long'],
    ['too long', { new_password: 'x'.repeat(257) }, 'new_password', 'Use at most 256 characters.'],
    ['shorter than twelve', { new_password: 'kN8!vt2#Qz7' }, 'new_password', /^Use at least 12 characters/],
    ['common', { new_password: 'Trustno1Trustno1' }, 'new_password', /too common/],
    ['the product', { new_password: 'my switchboard 7' }, 'new_password', /“switchboard”/],
    ['the address', { new_password: 'lovelace-1815' }, 'new_password', /“lovelace”/],
    ['without the current one', { current_password: undefined }, 'current_password', 'All fields are required'],
  ]
  test.for(refused)('%s names the field and the reason', async ([, fields, field, reason]) => {
    const ada = await api.signIn(`${crypto.randomUUID()}.lovelace@example.com`)
    const answer = await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD, ...fields })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().detail[0]).toMatchObject({ loc: ['body', field], msg: expect.stringMatching(reason) })
  })

  test('refused by a rule is audited with the rule, refused by its form is not', async () => {
    const ada = await api.signIn('ruled@example.com')
    const bodies = [
      { current_password: PASSWORD, new_password: 'password12345' },
      { current_password: PASSWORD, new_password: 'short' },
      { email: 'no address' },
    ]
    for (const body of bodies) expect((await put(ada, body)).statusCode).toBe(422)
    expect((await put(ada, { email: 'stale@example.com' })).statusCode).toBe(422)
    expect((await refusedTo(ada.admin.id)).map(({ action, reason }) => [action, reason])).toEqual([
      ['auth.profile', 'This password is too common or too easy to guess. Use several unrelated words.'],
      ['auth.profile', 'Enter your current password to change your email address.'],
    ])
  })

  test.for([
    {},
    { email: 'both@example.com', current_password: PASSWORD, new_password: NEW_PASSWORD },
    { email: 'x@example.com', role: 'user' },
    { email: 'x@example.com', is_active: false },
  ])('the body %j is refused', async (body) => {
    expect((await put(await api.signIn(), body)).statusCode).toBe(422)
  })
})
