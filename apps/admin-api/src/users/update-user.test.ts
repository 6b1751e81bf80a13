import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { attemptAt } from '@switchboard/sign-in/throttle'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tenant-admins'
const tenant = await makeTenant(db, { name: 'Harbor Dental' })
const other = await makeTenant(db, { name: 'Quay Bakery' })
const PASSWORD = 'seven sisters walk at dusk'

const member = (fields: object = {}) => makeUser(db, { role: 'user', tenant_id: tenant.id, ...fields })
const get = (id: string) => actor.call({ method: 'GET', url: `${url}/${id}` })
const patch = (id: string, body: object, version?: number, who = actor) =>
  who.call({
    method: 'PATCH',
    url: `${url}/${id}`,
    body,
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })
const setPassword = (id: string, password: string, who = actor) =>
  who.call({ method: 'PUT', url: `${url}/${id}/password`, body: { password } })
const rowOf = (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).orderBy('seq', 'desc').execute()

describe('reading a user', () => {
  test('answers the record with its version as ETag', async () => {
    const { id, email } = await member({ last_sign_in_at: new Date('2026-11-01T08:00:00.000Z') })
    const answer = await get(id)
    expect(answer.headers['etag']).toBe('"1"')
    expect(answer.json()).toMatchObject({
      id,
      email,
      tenant_name: 'Harbor Dental',
      last_sign_in_at: '2026-11-01T08:00:00.000Z',
      must_change_password: false,
      version: 1,
    })
  })

  test('is 404 for an unknown user and for the id of another record', async () => {
    for (const id of ['6f6f1b0e-0000-4000-8000-000000000000', tenant.id])
      expect((await get(id)).json()).toMatchObject({ detail: 'User not found' })
  })
})

describe('changing a user', () => {
  test('stores the new values, counts the version up, and is audited with both values', async () => {
    const { id, email } = await member()
    const body = {
      email: 'renamed@example.com',
      name: 'Jo Quay',
      role: 'manager',
      tenant_id: other.id,
      is_active: false,
    }
    const answer = await patch(id, body, 1)

    expect([answer.statusCode, answer.headers['etag']]).toEqual([200, '"2"'])
    expect(answer.json()).toMatchObject({ ...body, tenant_name: 'Quay Bakery', version: 2 })
    expect(await rowOf(id)).toMatchObject({ ...body, version: 2 })
    expect((await auditOf(id))[0]).toMatchObject({
      action: 'users.update',
      actor_email: 'ada@example.com',
      target_name: 'renamed@example.com',
      tenant_id: other.id,
      changes: {
        email: { before: email, after: 'renamed@example.com' },
        role: { before: 'user', after: 'manager' },
        tenant_id: { before: tenant.id, after: other.id },
        is_active: { before: true, after: false },
      },
    })
  })

  test('moves the user between the counts of both tenants, also when two move crosswise at once', async () => {
    const [left, right] = [await makeTenant(db), await makeTenant(db)]
    const [one, two] = [await member({ tenant_id: left.id }), await member({ tenant_id: right.id })]
    await Promise.all([patch(one.id, { tenant_id: right.id }), patch(two.id, { tenant_id: left.id })])
    await patch(one.id, { tenant_id: left.id })
    const counts = await db
      .selectFrom('tenants')
      .select(['id', 'admin_count'])
      .where('id', 'in', [left.id, right.id])
      .execute()
    expect(new Map(counts.map((row) => [row.id, row.admin_count]))).toEqual(
      new Map([
        [left.id, 2],
        [right.id, 0],
      ]),
    )
  })

  test('to the same values changes and audits nothing', async () => {
    const { id } = await member()
    expect((await patch(id, { role: 'user', is_active: true })).json().version).toBe(1)
    expect(await auditOf(id)).toEqual([])
  })

  test('with a stale version is 412 with the record and its last editor, not with who set a password', async () => {
    const { id, email } = await member()
    const bob = await api.signIn('bob@example.com')
    await patch(id, { role: 'manager' }, 1, bob)
    await setPassword(id, PASSWORD)
    const answer = await patch(id, { role: 'admin' }, 1)
    expect(answer.statusCode).toBe(412)
    expect(answer.json()).toMatchObject({
      detail: 'Another admin has changed this user since you opened it.',
      current: { id, email, role: 'manager', version: 2 },
      changed_by: 'bob@example.com',
      changed_at: api.clock.at.toISOString(),
    })
    expect((await rowOf(id)).role).toBe('manager')
  })

  test('to an address in use, in any case, is refused with a sentence', async () => {
    await member({ email: 'in-use@example.com' })
    const { id } = await member()
    const answer = await patch(id, { email: 'IN-USE@example.com' })
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { detail: 'This email address is already in use.' }])
  })

  test('to an unknown tenant is 404', async () => {
    const { id } = await member()
    const answer = await patch(id, { tenant_id: actor.admin.id })
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Tenant not found' }])
    expect((await rowOf(id)).tenant_id).toBe(tenant.id)
  })

  const refused: [string, object][] = [
    ['the role of a super admin', { role: 'super_admin' }],
    ['no tenant', { tenant_id: null }],
    ['no real address', { email: 'ada' }],
    ['a password', { password: PASSWORD }],
    ['a version', { version: 7 }],
  ]
  test.for(refused)('with %s is 422', async ([, body]) => {
    const { id } = await member()
    expect((await patch(id, body)).statusCode).toBe(422)
  })
})

describe('changing a super admin', () => {
  test('keeps the role and the missing tenant', async () => {
    const { id } = await makeUser(db)
    for (const body of [{ role: 'admin' }, { tenant_id: tenant.id }, { role: 'user', tenant_id: tenant.id }]) {
      const answer = await patch(id, body)
      const detail = 'A person who runs the console belongs to no tenant. The team page changes the role.'
      expect([answer.statusCode, answer.json()]).toMatchObject([409, { detail }])
    }
    expect((await patch(id, { email: 'colleague@example.com' })).statusCode).toBe(200)
  })

  test('to inactive ends the sessions at once', async () => {
    const carol = await api.signIn('carol@example.com')
    expect((await patch(carol.admin.id, { is_active: false })).statusCode).toBe(200)
    expect((await carol.call({ method: 'GET', url: '/api/v1/admin/auth/me' })).statusCode).toBe(401)
  })

  test('is refused for the account of the caller', async () => {
    const inactive = await patch(actor.admin.id, { is_active: false })
    expect([inactive.statusCode, inactive.json().detail]).toEqual([409, 'You cannot deactivate your own account.'])
    const renamed = await patch(actor.admin.id, { email: 'me@example.com' })
    expect([renamed.statusCode, renamed.json().detail]).toEqual([409, 'Change your own account in Settings.'])
    expect((await rowOf(actor.admin.id)).email).toBe('ada@example.com')
  })

  test('to inactive by two super admins at once leaves one active', async () => {
    const [dan, eve] = [await api.signIn('dan@example.com'), await api.signIn('eve@example.com')]
    const answers = await Promise.all([
      patch(eve.admin.id, { is_active: false }, undefined, dan),
      patch(dan.admin.id, { is_active: false }, undefined, eve),
    ])
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200, 401]))
    const active = [await rowOf(dan.admin.id), await rowOf(eve.admin.id)].filter((row) => row.is_active)
    expect(active).toHaveLength(1)
  })
})

describe('setting the password of a user', () => {
  test('replaces the hash, asks for another password, forgets failures, and is audited without the secret', async () => {
    const { id, email } = await member()
    const failure = attemptAt(email, '192.0.2.1', tenant.id)
    await db
      .insertInto('sign_in_attempts')
      .values({ ...failure, at: api.clock.at })
      .execute()
    const answer = await setPassword(id, PASSWORD)
    expect(
      await db.selectFrom('sign_in_attempts').select('id').where('account', '=', failure.account).execute(),
    ).toEqual([])
    expect(answer.json()).toMatchObject({ id, must_change_password: true, version: 1 })
    const row = await rowOf(id)
    expect(row.must_change_password).toBe(true)
    expect(await api.deps.passwords.verify(row.password_hash, PASSWORD)).toBe(true)
    expect((await auditOf(id))[0]).toMatchObject({
      action: 'users.set_password',
      changes: { password: { before: '•••', after: '•••' }, must_change_password: { before: false, after: true } },
    })
    const everything =
      JSON.stringify(await db.selectFrom('audit_entries').selectAll().execute()) + api.logLines.join('')
    expect(everything).not.toMatch(/argon2|seven sisters/)
  })

  test('keeps the rules of passwords: length, words of the account and the tenant', async () => {
    const { id, password_hash } = await member({ email: 'm.curie@example.com' })
    for (const [password, reason] of [
      ['kN8!vt2', /at least 8 characters/],
      ['password123', /too common/],
      ['CURIE-radium', /“curie”/],
      ['dental-2026!', /“dental”/],
    ] as const) {
      const answer = await setPassword(id, password)
      expect(answer.statusCode).toBe(422)
      expect(answer.json().detail[0]).toMatchObject({
        loc: ['body', 'password'],
        msg: expect.stringMatching(reason),
      })
    }
    expect((await rowOf(id)).password_hash).toBe(password_hash)
  })

  test('is refused for a super admin', async () => {
    const { id } = await makeUser(db)
    const answer = await setPassword(id, PASSWORD)
    const detail = 'People who run the console choose their own passwords.'
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { detail }])
  })
})
