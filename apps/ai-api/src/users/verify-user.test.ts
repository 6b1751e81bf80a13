import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { NEW_PASSWORD, PASSWORD, REFUSED, startTestPortal } from '#src/testing/test-portal.ts'

const { app, db, clock, hashing, tenant, key, verify, change, makeMember, rowOf, lastSignIn } = await startTestPortal()
const otherTenant = await makeTenant(db)

describe('verifying a user', () => {
  test('answers the user, and records the sign-in with the address of the client', async () => {
    const user = await makeMember({ email: 'Jo@Example.com', name: 'Jo Farrow', must_change_password: true })
    const answer = await verify({ email: ' jo@example.COM ', client_address: '203.0.113.7' })

    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        user: {
          id: user.id,
          email: 'Jo@Example.com',
          name: 'Jo Farrow',
          role: 'manager',
          must_change_password: true,
        },
      },
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await rowOf(user.id)).toEqual({ ...user, last_sign_in_at: '2026-11-20T12:00:00.000Z' })
    expect(await lastSignIn()).toEqual({
      id: expect.any(Number),
      tenant_id: tenant.id,
      user_id: user.id,
      email: 'Jo@Example.com',
      at: '2026-11-20T12:00:00.000Z',
      outcome: 'done',
      reason: null,
      address: '203.0.113.7',
      request_id: expect.any(String),
    })
    expect(await db.selectFrom('audit_entries').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('sign_in_attempts').selectAll().execute()).toEqual([])
  })

  test('knows an internationalized domain however it is typed', async () => {
    await makeMember({ email: 'portal@bücher.example' })
    for (const email of ['portal@bücher.example', 'Portal@BÜCHER.example', 'portal@xn--bcher-kva.example'])
      expect([email, (await verify({ email })).statusCode]).toEqual([email, 200])
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
      await makeMember({ role: 'super_admin', tenant_id: null }),
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
    expect(hashing.verified).toBe(answers.length)
    for (const { id } of users) expect((await rowOf(id)).last_sign_in_at).toBeNull()
  })

  test('records a refusal with the typed address, the user and the tenant, and never the password', async () => {
    const user = await makeMember()
    await verify({ email: user.email, password: 'canary-password-1' })
    expect(await lastSignIn()).toMatchObject({
      outcome: 'refused',
      reason: 'Invalid email or password',
      email: user.email,
      user_id: user.id,
      tenant_id: tenant.id,
      address: '192.0.2.1',
    })
    await change({ email: user.email, password: 'canary-password-1' })
    expect(await lastSignIn()).toMatchObject({ outcome: 'refused', user_id: user.id })
    await verify({ email: 'nobody@example.com' })
    expect(await lastSignIn()).toMatchObject({ email: 'nobody@example.com', user_id: null, tenant_id: tenant.id })
    await verify({ email: 'canary-password-2' })
    expect(await lastSignIn()).toMatchObject({ email: null, user_id: null, tenant_id: tenant.id })
    expect(JSON.stringify(await db.selectFrom('portal_sign_ins').selectAll().execute())).not.toContain('canary')
    expect(await db.selectFrom('audit_entries').selectAll().execute()).toEqual([])
  })

  test('refuses a user while the tenant is inactive and the cached key is not yet refused', async () => {
    const brief = await makeTenant(db)
    const { email } = await makeMember({ tenant_id: brief.id })
    const briefKey = await makeApiKey(db, { tenant_id: brief.id })
    hashing.meanwhile = () => db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', brief.id).execute()
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
    hashing.meanwhile = () => act(id)
    expect((await verify({ email })).statusCode).toBe(401)
    expect(await lastSignIn()).toMatchObject({ outcome: 'refused', email, tenant_id: tenant.id })
  })

  test('replaces an old hash by a hash with the current parameters', async () => {
    const { hash } = await import('@node-rs/argon2')
    const { id, email } = await makeMember({ password_hash: await hash(PASSWORD, { memoryCost: 8_192 }) })
    await verify({ email })
    expect((await rowOf(id)).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await verify({ email })).statusCode).toBe(200)
  })

  test.for([
    ['sign-in', 'portal_sign_ins', verify],
    ['audit entry', 'audit_unsealed', change],
  ] as const)('writes nothing when its %s cannot be written', async ([, table, attempt]) => {
    const user = await makeMember()
    const broken = sql.table(table)
    await sql`create trigger is_broken before insert on ${broken} execute function refuse_change()`.execute(db)
    expect((await attempt({ email: user.email })).statusCode).toBe(500)
    await sql`drop trigger is_broken on ${broken}`.execute(db)
    expect(await rowOf(user.id)).toEqual(user)
  })
})

describe('a key', () => {
  test.for(['/v1/users/verify', '/v1/users/password', '/v1/users/invitation'])(
    'that is refused gets the answer of keys/authorize at %s',
    async (path) => {
      const revoked = await makeApiKey(db, { tenant_id: tenant.id, is_active: false, revoked_at: clock.at })
      const bound = await makeApiKey(db, { tenant_id: tenant.id, allowed_origins: ['https://portal.example.com'] })
      const keys = [{ api_key: '' }, { api_key: 'sb_live_nonsense' }, revoked, bound]
      for (const { api_key } of keys) {
        const headers = { 'x-api-key': api_key }
        const expected = await app.inject({ url: '/v1/keys/authorize', headers })
        const credentials = { email: 'jo@example.com', password: PASSWORD }
        const payload = {
          ...(path.endsWith('invitation') ? { token: 'unknown' } : credentials),
          ...(!path.endsWith('verify') && { new_password: NEW_PASSWORD }),
        }
        const answer = await app.inject({ method: 'POST', url: path, headers, payload })
        expect(answer.statusCode).toBe(expected.statusCode)
        expect(answer.json().detail).toBe(expected.json().detail)
        expect(answer.headers['www-authenticate']).toBe(expected.headers['www-authenticate'])
      }
      expect(hashing.verified).toBe(0)
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
