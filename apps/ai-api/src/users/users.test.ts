import { makeApiKey, makeTenant, makeUser } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { attemptAt } from '@switchboard/sign-in/throttle'
import type { Attempt } from '@switchboard/sign-in/throttle.queries'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'

const PASSWORD = 'seven sisters walk at dusk'
const NEW_PASSWORD = 'kettles under a plum tree'
const REFUSED = '{"detail":"Invalid email or password"}'

const passwords = await createPasswords()
const password_hash = await passwords.hash(PASSWORD)
const clock = { at: new Date() }
let hashesComputed = 0
let whileHashing: () => Promise<unknown> = async () => {}
let whileHashingNew: () => Promise<unknown> = async () => {}
const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const app = await buildAiApi(
  testDeps({
    db,
    directUrl,
    now: () => clock.at,
    passwords: {
      ...passwords,
      hash: async (password) => {
        await whileHashingNew()
        return await passwords.hash(password)
      },
      verify: async (stored, password) => {
        hashesComputed += 1
        const matches = await passwords.verify(stored, password)
        await whileHashing()
        return matches
      },
    },
  }),
)
afterAll(async () => {
  await app.close()
  await drop()
})

const tenant = await makeTenant(db, { name: 'Harbor Dental' })
const key = await makeApiKey(db, { tenant_id: tenant.id })
const otherTenant = await makeTenant(db)
const otherKey = await makeApiKey(db, { tenant_id: otherTenant.id })

beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  hashesComputed = 0
  whileHashing = async () => {}
  whileHashingNew = async () => {}
  await db.deleteFrom('sign_in_attempts').execute()
  await db.deleteFrom('sign_in_refusals').execute()
})

type Sent = { email: string; password?: string; client_address?: string; new_password?: string }

const post = (path: string, body: Sent, { api_key } = key) =>
  app.inject({
    method: 'POST',
    url: path,
    headers: { 'x-api-key': api_key },
    payload: { password: PASSWORD, ...body },
    remoteAddress: '192.0.2.1',
  })
const verify = (body: Sent, from = key) => post('/v1/users/verify', body, from)
const change = (body: Sent, from = key) => post('/v1/users/password', { new_password: NEW_PASSWORD, ...body }, from)

const makeMember = (fields: Partial<Parameters<typeof makeUser>[1]> = {}) =>
  makeUser(db, { role: 'manager', tenant_id: tenant.id, password_hash, ...fields })
const rowOf = (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const lastAudited = () => db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow()

describe('verifying a user', () => {
  test('answers the user, records the sign-in, and is audited with the key and the address of the client', async () => {
    const user = await makeMember({ email: 'Jo@Example.com', must_change_password: true })
    const answer = await verify({ email: ' jo@example.COM ', client_address: '203.0.113.7' })

    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { user: { id: user.id, email: 'Jo@Example.com', role: 'manager', must_change_password: true } },
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await rowOf(user.id)).toEqual({ ...user, last_sign_in_at: '2026-11-20T12:00:00.000Z' })
    expect(await lastAudited()).toMatchObject({
      action: 'users.verify',
      outcome: 'done',
      actor_id: user.id,
      actor_email: 'Jo@Example.com',
      target_type: 'user',
      target_id: user.id,
      tenant_id: tenant.id,
      changes: { api_key_id: { before: null, after: key.id } },
      address: '203.0.113.7',
    })
    expect(await db.selectFrom('sign_in_attempts').selectAll().execute()).toEqual([])
  })

  test('takes the key as a bearer token too', async () => {
    const { email } = await makeMember()
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/users/verify',
      headers: { authorization: `Bearer ${key.api_key}` },
      payload: { email, password: PASSWORD },
    })
    expect(answer.statusCode).toBe(200)
  })

  test('answers every other user alike, byte for byte, after a hash, and records no sign-in', async () => {
    const asleep = await makeTenant(db, { status: 'inactive' })
    const known = await makeMember()
    const users = [
      known,
      await makeMember({ is_active: false }),
      await makeMember({ tenant_id: otherTenant.id }),
      await makeMember({ tenant_id: asleep.id }),
      await makeUser(db, { password_hash }),
    ]
    const answers = [
      await verify({ email: known.email, password: 'wrong password' }),
      await verify({ email: known.email, password: '' }),
      await verify({ email: 'nobody@example.com' }),
      await verify({ email: 'not an address' }),
    ]
    for (const { email } of users.slice(1)) answers.push(await verify({ email }))

    for (const answer of answers) {
      expect([answer.statusCode, answer.body]).toEqual([401, REFUSED])
      expect(Object.keys(answer.headers)).toEqual(Object.keys(answers[0]?.headers ?? {}))
    }
    expect(hashesComputed).toBe(answers.length)
    for (const { id } of users) expect((await rowOf(id)).last_sign_in_at).toBeNull()
  })

  test('audits a refusal with the typed address, the user and the tenant, and never the password', async () => {
    const user = await makeMember()
    await verify({ email: user.email, password: 'canary-password-1' })
    expect(await lastAudited()).toMatchObject({
      action: 'users.verify',
      outcome: 'refused',
      reason: 'Invalid email or password',
      actor_id: null,
      actor_email: user.email,
      target_id: user.id,
      tenant_id: tenant.id,
      address: '192.0.2.1',
    })
    await verify({ email: 'canary-password-2' })
    expect(await lastAudited()).toMatchObject({ actor_email: null, target_id: null, tenant_id: tenant.id })
    expect(JSON.stringify(await db.selectFrom('audit_log').selectAll().execute())).not.toContain('canary')
  })

  test('refuses a user while the tenant is inactive and the cached key is not yet refused', async () => {
    const brief = await makeTenant(db)
    const { email } = await makeMember({ tenant_id: brief.id })
    const briefKey = await makeApiKey(db, { tenant_id: brief.id })
    whileHashing = () => db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', brief.id).execute()
    const answer = await verify({ email }, briefKey)
    expect([answer.statusCode, answer.body]).toEqual([401, REFUSED])
  })

  const meanwhile: [string, (id: string) => Promise<unknown>][] = [
    ['a new password', (id) => db.updateTable('users').set({ password_hash: 'x' }).where('id', '=', id).execute()],
    ['a deactivation', (id) => db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()],
    ['a deletion', (id) => db.deleteFrom('users').where('id', '=', id).execute()],
  ]
  test.for(meanwhile)('refuses after %s during the hashing', async ([, act]) => {
    const { id, email } = await makeMember()
    whileHashing = () => act(id)
    expect((await verify({ email })).statusCode).toBe(401)
  })

  test('replaces an old hash by a hash with the current parameters', async () => {
    const { hash } = await import('@node-rs/argon2')
    const { id, email } = await makeMember({ password_hash: await hash(PASSWORD, { memoryCost: 8_192 }) })
    await verify({ email })
    expect((await rowOf(id)).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await verify({ email })).statusCode).toBe(200)
  })

  test('writes nothing when its audit row cannot be written', async () => {
    const user = await makeMember()
    await sql`create trigger audit_is_broken before insert on audit_log execute function refuse_change()`.execute(db)
    expect((await verify({ email: user.email })).statusCode).toBe(500)
    expect((await change({ email: user.email })).statusCode).toBe(500)
    await sql`drop trigger audit_is_broken on audit_log`.execute(db)
    expect(await rowOf(user.id)).toEqual(user)
  })
})

describe('a key', () => {
  test.for(['/v1/users/verify', '/v1/users/password'])(
    'that is refused gets the answer of keys/authorize at %s',
    async (path) => {
      const revoked = await makeApiKey(db, { tenant_id: tenant.id, revoked_at: clock.at })
      const bound = await makeApiKey(db, { tenant_id: tenant.id, allowed_origins: ['https://portal.example.com'] })
      const keys = [{ api_key: '' }, { api_key: 'sb_live_nonsense' }, revoked, bound]
      for (const { api_key } of keys) {
        const headers = { 'x-api-key': api_key }
        const expected = await app.inject({ url: '/v1/keys/authorize', headers })
        const payload = {
          email: 'jo@example.com',
          password: PASSWORD,
          ...(path.endsWith('d') && { new_password: NEW_PASSWORD }),
        }
        const answer = await app.inject({ method: 'POST', url: path, headers, payload })
        expect(answer.statusCode).toBe(expected.statusCode)
        expect(answer.json().detail).toBe(expected.json().detail)
        expect(answer.headers['www-authenticate']).toBe(expected.headers['www-authenticate'])
      }
      expect(hashesComputed).toBe(0)
    },
  )

  test('with allowed origins verifies users for a portal that sends one of them', async () => {
    const { email } = await makeMember()
    const bound = await makeApiKey(db, { tenant_id: tenant.id, allowed_origins: ['https://portal.example.com'] })
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/users/verify',
      headers: { 'x-api-key': bound.api_key, origin: 'https://portal.example.com' },
      payload: { email, password: PASSWORD },
    })
    expect(answer.statusCode).toBe(200)
  })
})

describe('the throttle', () => {
  const insertAttempts = (attempts: Attempt[]) =>
    db
      .insertInto('sign_in_attempts')
      .values(attempts.map((attempt) => ({ ...attempt, at: clock.at })))
      .execute()
  const fail = async (times: number, sent: Sent, from = key) => {
    for (let n = 0; n < times; n += 1) await verify({ ...sent, password: 'wrong' }, from)
  }

  test('refuses the eleventh failure of a user from one client address, and no other address', async () => {
    const { email } = await makeMember()
    await fail(10, { email, client_address: '203.0.113.1' })
    const answer = await verify({ email, client_address: '203.0.113.1' })
    expect([answer.statusCode, answer.json().detail]).toEqual([
      429,
      'Too many sign-in attempts. Try again in 15 minutes.',
    ])
    expect(answer.headers['retry-after']).toBe('900')
    expect(hashesComputed).toBe(10)
    expect((await verify({ email, client_address: '203.0.113.2' })).statusCode).toBe(200)
  })

  test('counts an unknown user as a known one', async () => {
    await fail(10, { email: 'nobody@example.com' })
    expect((await verify({ email: 'nobody@example.com' })).statusCode).toBe(429)
  })

  test('counts both calls together', async () => {
    const { email } = await makeMember()
    for (let n = 0; n < 10; n += 1) await change({ email, password: 'wrong' })
    expect((await verify({ email })).statusCode).toBe(429)
    expect((await change({ email })).statusCode).toBe(429)
  })

  test('of one tenant refuses no user of another', async () => {
    const { email } = await makeMember({ tenant_id: otherTenant.id })
    await fail(10, { email })
    await insertAttempts(Array.from({ length: 90 }, (_, n) => attemptAt(`${n}@example.com`, '192.0.2.1', tenant.id)))
    expect((await verify({ email: 'nobody@example.com' })).statusCode).toBe(429)
    expect((await verify({ email }, otherKey)).statusCode).toBe(200)
  })

  test('lets a user in from a network of an earlier sign-in, after a day of failures elsewhere', async () => {
    const { email } = await makeMember()
    await verify({ email, client_address: '198.51.100.9' })
    await insertAttempts(Array.from({ length: 100 }, (_, n) => attemptAt(email, `203.0.113.${n}`, tenant.id)))
    expect((await verify({ email, client_address: '203.0.113.200' })).statusCode).toBe(429)
    expect((await verify({ email, client_address: '198.51.100.9' })).statusCode).toBe(200)
  })

  test('audits its first refusal at once and their number at the end of the window, with the tenant', async () => {
    const { email } = await makeMember()
    await fail(13, { email, client_address: '2001:db8::1' })
    expect(await lastAudited()).toMatchObject({
      action: 'users.verify',
      outcome: 'refused',
      tenant_id: tenant.id,
      address: '2001:db8::1',
    })
    clock.at = new Date('2026-11-20T12:16:00.000Z')
    await verify({ email: 'nobody@example.com' })
    const audited = await db.selectFrom('audit_log').selectAll().where('reason', 'like', '%3 were refused%').execute()
    expect(audited).toMatchObject([{ tenant_id: tenant.id, address: '2001:db8::/64', actor_id: null }])
  })

  test('refuses a client address that is none', async () => {
    const answer = await verify({ email: 'jo@example.com', client_address: 'somewhere' })
    expect([answer.statusCode, answer.json().detail[0].msg]).toEqual([422, 'Send an IPv4 or IPv6 address.'])
  })
})

describe('changing a password', () => {
  test('sets the new password, ends the forced change, and is audited without either password', async () => {
    const user = await makeMember({ must_change_password: true })
    const answer = await change({ email: user.email, client_address: '203.0.113.7' })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { user: { id: user.id, email: user.email, role: 'manager', must_change_password: false } },
    ])
    expect(await rowOf(user.id)).toMatchObject({ must_change_password: false, last_sign_in_at: null, version: 1 })
    const audited = await lastAudited()
    expect(audited).toMatchObject({
      action: 'users.password',
      outcome: 'done',
      actor_id: user.id,
      target_id: user.id,
      tenant_id: tenant.id,
      changes: {
        password: { before: '•••', after: '•••' },
        must_change_password: { before: true, after: false },
        api_key_id: { before: null, after: key.id },
      },
      address: '203.0.113.7',
    })
    expect((await verify({ email: user.email })).statusCode).toBe(401)
    expect((await verify({ email: user.email, password: NEW_PASSWORD })).statusCode).toBe(200)
  })

  test('answers every refused user like a refused verification', async () => {
    const stranger = await makeMember({ tenant_id: otherTenant.id })
    const inactive = await makeMember({ is_active: false })
    const known = await makeMember()
    // A guessable password must not tell whether the current one was right.
    const new_password = 'password1'
    for (const body of [
      { email: stranger.email },
      { email: inactive.email },
      { email: known.email, password: 'wrong' },
    ]) {
      const answer = await change({ ...body, new_password })
      expect([answer.statusCode, answer.body]).toEqual([401, REFUSED])
    }
  })

  const refusals: [string, string, string][] = [
    ['is too common', 'password1', 'This password is too common or too easy to guess. Use several unrelated words.'],
    ['names the tenant', 'harbor dental rocks', 'Leave “harbor” out of the password: it is easy to guess here.'],
    ['is too short', 'short', 'New password must be at least 8 characters long'],
    ['is the current one', PASSWORD, 'Choose a password other than the current one.'],
  ]
  test.for(refusals)('is refused when the new password %s, and counts as no failure', async ([, new_password, msg]) => {
    const user = await makeMember({ must_change_password: true })
    for (let n = 0; n < 11; n += 1) {
      const answer = await change({ email: user.email, new_password })
      expect([answer.statusCode, answer.json().detail]).toEqual([
        422,
        [{ loc: ['body', 'new_password'], msg, type: expect.any(String) }],
      ])
    }
    expect(await rowOf(user.id)).toEqual(user)
  })

  test('is refused after a deactivation during the hashing of the new password', async () => {
    const { id, email } = await makeMember()
    whileHashingNew = () => db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
    const answer = await change({ email })
    expect([answer.statusCode, answer.body]).toEqual([401, REFUSED])
    expect((await rowOf(id)).password_hash).toBe(password_hash)
  })
})
