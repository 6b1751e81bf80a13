import { makeUser, makeTenant } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const passwords = await createPasswords()
let hashesComputed = 0
let whileHashing: () => Promise<unknown> = async () => {}
const api = await startTestApi({
  passwords: {
    ...passwords,
    verify: async (stored, password) => {
      hashesComputed += 1
      const matches = await passwords.verify(stored, password)
      await whileHashing()
      return matches
    },
  },
})
const { db, clock } = api
const passwordHash = await passwords.hash(PASSWORD)

const login = (email: string, password: string, remoteAddress = '127.0.0.1') =>
  api.app.inject({ method: 'POST', url: '/api/v1/admin/auth/login', payload: { email, password }, remoteAddress })
const me = (token: string) =>
  api.call({ method: 'GET', url: '/api/v1/admin/auth/me', headers: { authorization: `Bearer ${token}` } })

beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  hashesComputed = 0
  whileHashing = async () => {}
  await db.deleteFrom('sign_in_attempts').execute()
})

describe('signing in', () => {
  test('answers a token, its end and the admin, and is audited', async () => {
    const admin = await makeUser(db, { email: 'Ada@Example.com', password_hash: passwordHash })
    const answer = await login(' ada@example.COM ', PASSWORD)

    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'bearer',
      expires_at: '2026-11-21T00:00:00.000Z',
      admin: {
        id: admin.id,
        email: 'Ada@Example.com',
        name: null,
        role: 'super_admin',
        is_active: true,
        created_at: admin.created_at,
      },
    })
    const audited = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('actor_id', '=', admin.id)
      .executeTakeFirstOrThrow()
    expect(audited).toMatchObject({ action: 'auth.login', outcome: 'done' })
  })

  test('records the time of the last sign-in, but not of a refused sign-in', async () => {
    const { id } = await makeUser(db, { email: 'lena@example.com', password_hash: passwordHash })
    const lastSignIn = async () =>
      (await db.selectFrom('users').select('last_sign_in_at').where('id', '=', id).executeTakeFirstOrThrow())
        .last_sign_in_at
    await login('lena@example.com', 'not the password at all')
    expect(await lastSignIn()).toBeNull()
    await login('lena@example.com', PASSWORD)
    expect(await lastSignIn()).toBe('2026-11-20T12:00:00.000Z')
  })

  test.for(['MyP@ssw0rd-2026', "x;=cmd|'/Ccalc'!A0;y@b", 'correct horse@battery'])(
    'records no account for %s, which is not an address',
    async (typed) => {
      await login(typed, PASSWORD)
      const last = await db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow()
      expect(last).toMatchObject({ action: 'auth.login', outcome: 'refused', actor_email: null })
    },
  )

  test('answers every wrong entry alike, byte for byte, and hashes every time', async () => {
    const tenant = await makeTenant(db)
    await makeUser(db, { email: 'known@example.com', password_hash: passwordHash })
    await makeUser(db, { email: 'inactive@example.com', password_hash: passwordHash, is_active: false })
    await makeUser(db, { email: 'user@example.com', password_hash: passwordHash, role: 'admin', tenant_id: tenant.id })
    const wrong = [
      await login('known@example.com', 'wrong password'),
      await login('known@example.com', ''),
      await login('nobody@example.com', PASSWORD),
      await login('not an address', PASSWORD),
      await login('inactive@example.com', PASSWORD),
      await login('user@example.com', PASSWORD),
    ]

    for (const answer of wrong) {
      expect([answer.statusCode, answer.body]).toEqual([
        401,
        '{"detail":"Invalid email or password","code":"unauthorized"}',
      ])
      expect(Object.keys(answer.headers)).toEqual(Object.keys(wrong[0]?.headers ?? {}))
    }
    expect(hashesComputed).toBe(wrong.length)
  })

  test.for(['none', '', '$argon2id$v=19$m=19456,t=2,p=1$c2hvcnQ$x', 'x'.repeat(10_000)])(
    'answers the same 401 to an account whose stored hash is %s',
    async (password_hash) => {
      const email = `${crypto.randomUUID()}@example.com`
      await makeUser(db, { email, password_hash })
      const answer = await login(email, PASSWORD)
      expect([answer.statusCode, answer.body]).toEqual([
        401,
        '{"detail":"Invalid email or password","code":"unauthorized"}',
      ])
    },
  )

  test('compares the whole password exactly', async () => {
    const long = 'x'.repeat(127)
    await makeUser(db, { email: 'long@example.com', password_hash: await passwords.hash(`${long}a`) })
    expect((await login('long@example.com', `${long}b`)).statusCode).toBe(401)
    expect((await login('long@example.com', `${long}a `)).statusCode).toBe(401)
    expect((await login('long@example.com', `${long}A`)).statusCode).toBe(401)
    expect((await login('long@example.com', `${long}a`)).statusCode).toBe(200)
  })

  test('refuses a password too long to hash without hashing it', async () => {
    expect((await login('known@example.com', 'x'.repeat(257))).statusCode).toBe(422)
    expect(hashesComputed).toBe(0)
  })

  test('answers under a host that no URL can have', async () => {
    await makeUser(db, { email: 'strange@example.com', password_hash: passwordHash })
    const payload = { email: 'strange@example.com', password: PASSWORD }
    const request = { method: 'POST', url: '/api/v1/admin/auth/login', payload } as const
    for (const host of ['1.2.3.999', 'localhost:99999'])
      expect((await api.app.inject({ ...request, headers: { host } })).statusCode).toBe(200)
  })

  test('records neither the password nor a mistyped address', async () => {
    await login('MyS3cretPassw0rd', 'canary-password-1')
    const rows = await db.selectFrom('audit_entries').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/MyS3cret|canary/)
    expect(api.logLines.join('')).not.toMatch(/MyS3cret|canary/)
  })

  test('replaces an old hash by a hash with the current parameters', async () => {
    const { hash } = await import('@node-rs/argon2')
    const { id } = await makeUser(db, {
      email: 'old@example.com',
      password_hash: await hash(PASSWORD, { memoryCost: 8_192 }),
    })
    await login('old@example.com', PASSWORD)
    const { password_hash } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await login('old@example.com', PASSWORD)).statusCode).toBe(200)
  })
})

describe('spelling', () => {
  test('grants no more guesses: letters that only the database folds are another account', async () => {
    await makeUser(db, { email: 'admin@example.com', password_hash: passwordHash })
    expect((await login('adm\u0130n@example.com', PASSWORD)).statusCode).toBe(401)
    expect((await login('ADMIN@EXAMPLE.COM', PASSWORD)).statusCode).toBe(200)
  })
})

describe('changes made while the password is hashed take precedence', () => {
  const cases: [string, (id: string) => Promise<unknown>][] = [
    [
      'a new password',
      (id) => db.updateTable('users').set({ password_hash: 'another' }).where('id', '=', id).execute(),
    ],
    ['a deactivation', (id) => db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()],
    ['a deletion', (id) => db.deleteFrom('users').where('id', '=', id).execute()],
  ]
  test.for(cases)('%s', async ([what, change]) => {
    const email = `meanwhile-${what.replaceAll(' ', '-')}@example.com`
    const { id } = await makeUser(db, { email, password_hash: passwordHash })
    whileHashing = () => change(id)
    expect((await login(email, PASSWORD)).statusCode).toBe(401)
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([])
  })
})

describe('a session', () => {
  test('is stored by its hash only', async () => {
    const { token } = await api.signIn()
    const dump = await db.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(dump)).not.toContain(token)
    expect(dump.some((row) => row.token_hash.toString('utf8').includes(token))).toBe(false)
  })

  test('ends two hours after its last use', async () => {
    const { token } = await api.signIn()
    clock.at = new Date('2026-11-20T13:59:59.000Z')
    expect((await me(token)).statusCode).toBe(200)
    clock.at = new Date('2026-11-20T15:59:58.000Z')
    expect((await me(token)).statusCode).toBe(200)
    clock.at = new Date('2026-11-20T17:59:59.000Z')
    expect((await me(token)).statusCode).toBe(401)
  })

  test('ends twelve hours after sign-in, however often used', async () => {
    const { token } = await api.signIn()
    for (let hour = 13; hour < 24; hour += 1) {
      clock.at = new Date(`2026-11-20T${hour}:00:00.000Z`)
      expect((await me(token)).statusCode).toBe(200)
    }
    clock.at = new Date('2026-11-20T23:59:59.000Z')
    expect((await me(token)).statusCode).toBe(200)
    clock.at = new Date('2026-11-21T00:00:01.000Z')
    expect((await me(token)).statusCode).toBe(401)
  })

  test('ends on the server when its admin signs out, and no other session ends', async () => {
    const one = await api.signIn('twice@example.com')
    const second = (await login('twice@example.com', PASSWORD)).json().access_token
    const answer = await one.call({ method: 'POST', url: '/api/v1/admin/auth/logout' })

    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect((await me(one.token)).statusCode).toBe(401)
    expect((await me(second)).statusCode).toBe(200)
  })

  test.for([
    ['deactivated', { is_active: false }],
    ['demoted', { role: 'user' }],
  ] as const)('ends at once when its admin is %s', async ([, change]) => {
    const { admin, token } = await api.signIn()
    const tenant = await makeTenant(db)
    await db
      .updateTable('users')
      .set({ ...change, ...('role' in change ? { tenant_id: tenant.id } : {}) })
      .where('id', '=', admin.id)
      .execute()
    expect((await me(token)).statusCode).toBe(401)
  })

  test('ends at once when its admin is deleted', async () => {
    const { admin, token } = await api.signIn()
    await db.deleteFrom('users').where('id', '=', admin.id).execute()
    expect((await me(token)).statusCode).toBe(401)
  })
})
