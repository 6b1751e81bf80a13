import { makeUser, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { accessTokenHash } from '@switchboard/sign-in/access-token'
import { lockSuperAdmins } from './super-admins.queries.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tenant-admins'
const PASSWORD = 'seven sisters walk at dusk'
const tenant = await makeTenant(db, { name: 'Harbor Dental', subdomain: 'harbor-clinic' })

const create = (fields: object) =>
  actor.call({
    method: 'POST',
    url,
    body: { email: 'new@example.com', password: PASSWORD, role: 'admin', tenant_id: tenant.id, ...fields },
  })
const toggle = (id: string, is_active: boolean, who = actor) =>
  who.call({ method: 'PATCH', url: `${url}/${id}/toggle`, body: { is_active } })
const remove = (id: string, who = actor) => who.call({ method: 'DELETE', url: `${url}/${id}` })
const rowOf = (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').orderBy('seq').selectAll().where('target_id', '=', id).execute()

describe('creating a user', () => {
  test('stores the values with a hash of the password and answers the record', async () => {
    const answer = await create({ email: ' Grace@Example.com ', role: 'manager' })

    expect(answer.statusCode).toBe(201)
    const row = await rowOf(answer.json().id)
    expect(answer.json()).toEqual({
      id: row?.id,
      email: 'Grace@Example.com',
      name: null,
      external_id: null,
      role: 'manager',
      tenant_id: tenant.id,
      tenant_name: 'Harbor Dental',
      tenant_status: 'active',
      is_active: true,
      created_at: api.clock.at.toISOString(),
      updated_at: row?.updated_at,
      last_sign_in_at: null,
      must_change_password: true,
      has_password: true,
      invitation: null,
      version: 1,
      deleted_at: null,
    })
    expect(await api.deps.passwords.verify(row?.password_hash ?? '', PASSWORD)).toBe(true)
  })

  test('may store a name, which is audited', async () => {
    const user = (await create({ email: 'named@example.com', name: ' Grace Hopper ' })).json()
    expect(user.name).toBe('Grace Hopper')
    expect((await auditOf(user.id))[0]?.changes).toMatchObject({ name: { before: null, after: 'Grace Hopper' } })
  })

  test('is audited with actor and changes, without password and hash', async () => {
    const { id } = (await create({ email: 'audited@example.com' })).json()
    const [row] = await auditOf(id)
    expect(row).toMatchObject({
      action: 'users.create',
      actor_email: 'ada@example.com',
      target_name: 'audited@example.com',
      changes: {
        email: { before: null, after: 'audited@example.com' },
        role: { before: null, after: 'admin' },
        tenant_id: { before: null, after: tenant.id },
      },
    })
    const everything =
      JSON.stringify(await db.selectFrom('audit_entries').selectAll().execute()) + api.logLines.join('')
    expect(everything).not.toMatch(/argon2|seven sisters/)
  })

  test('with an address in use, in any case, is refused with a sentence', async () => {
    await makeUser(db, { email: 'taken@example.com' })
    const answer = await create({ email: 'TAKEN@example.com' })
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { detail: 'This email address is already in use.', code: 'email_taken' },
    ])
  })

  test('sent eight times at once creates one user', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ email: 'twice@example.com' })))
    expect(answers.filter((one) => one.statusCode === 201)).toHaveLength(1)
    expect(answers.filter((one) => one.statusCode === 409)).toHaveLength(7)
  })

  test('for an unknown tenant is 404, also for the id of another record', async () => {
    for (const tenant_id of ['6f6f1b0e-0000-4000-8000-000000000000', actor.admin.id]) {
      const answer = await create({ tenant_id })
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Tenant not found' }])
    }
  })

  const refused: [string, object, string, string | RegExp][] = [
    ['no address', { email: '' }, 'email', 'Enter a valid email address.'],
    ['no real address', { email: 'ada' }, 'email', 'Enter a valid email address.'],
    ['seven characters', { password: 'kN8!vt2' }, 'password', 'New password must be at least 8 characters long'],
    ['257 characters', { password: 'x'.repeat(257) }, 'password', 'Use at most 256 characters.'],
    ['a common password', { password: 'Trustno1' }, 'password', /too common/],
    ['a repeated piece', { password: 'abcabcabc' }, 'password', /too common/],
    ['the product in it', { password: 'my SwitchBoard 7' }, 'password', /“switchboard”/],
    ['the name of the tenant in it', { password: 'dental-2026!' }, 'password', /“dental”/],
    ['the subdomain in it', { password: 'our clinic, 4ever' }, 'password', /“clinic”/],
    ['the address in it', { email: 'm.curie@example.com', password: 'CURIE-radium' }, 'password', /“curie”/],
    ['the role of a super admin', { role: 'super_admin' }, 'role', /./],
    ['no tenant', { tenant_id: null }, 'tenant_id', /./],
  ]
  test.for(refused)('with %s names the field and the reason', async ([, fields, field, reason]) => {
    const answer = await create(fields)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().detail[0]).toMatchObject({ loc: ['body', field], msg: expect.stringMatching(reason) })
  })

  test('takes eight code points of any text, and keeps all of them', async () => {
    const answer = await create({ email: 'emoji@example.com', password: ' 🚀é漢字🙂 x' })
    const { password_hash } = (await rowOf(answer.json().id)) ?? { password_hash: '' }
    expect(await api.deps.passwords.verify(password_hash, ' 🚀é漢字🙂 x')).toBe(true)
    expect(await api.deps.passwords.verify(password_hash, '🚀é漢字🙂 x')).toBe(false)
  })

  test('refuses every column outside the contract', async () => {
    for (const field of ['id', 'is_active', 'created_at', 'password_hash', 'tenant_name', 'search_text']) {
      expect((await create({ [field]: 'x' })).statusCode).toBe(422)
    }
  })
})

describe('the external id', () => {
  let made = 0
  const createWith = (external_id: string | null) =>
    create({ email: `external.${(made += 1)}@example.com`, external_id })
  const change = (id: string, external_id: string | null) =>
    actor.call({ method: 'PATCH', url: `${url}/${id}`, body: { external_id } })
  const found = async (query: string): Promise<string[]> =>
    (await actor.call({ method: 'GET', url: `${url}?limit=9&${query}` })).json().map(({ id }: { id: string }) => id)
  const TAKEN = [409, 'Another user has this external ID.', 'external_id_taken']
  const refusalOf = (answer: Awaited<ReturnType<typeof createWith>>) => {
    const { detail, code } = answer.json()
    return [answer.statusCode, detail, code]
  }

  test('finds its user, exactly as a filter and in part as a search, and is audited', async () => {
    const { id, external_id } = (await createWith(' Sub_External:1 ')).json()
    expect(external_id).toBe('Sub_External:1')
    expect(await found('external_id=Sub_External:1')).toEqual([id])
    for (const other of ['sub_external:1', 'Sub_External', 'unknown', ''])
      expect(await found(`external_id=${other}`)).toEqual([])
    expect(await found('q=ub_external')).toEqual([id])
    await change(id, 'sub_changed')
    expect((await auditOf(id)).map(({ changes }) => changes['external_id'])).toEqual([
      { before: null, after: 'Sub_External:1' },
      { before: 'Sub_External:1', after: 'sub_changed' },
    ])
  })

  test('names one user only, and a deleted user frees it', async () => {
    const { id } = (await createWith('sub_2')).json()
    expect(refusalOf(await createWith('sub_2'))).toEqual(TAKEN)
    const other = (await createWith(null)).json()
    expect(refusalOf(await change(other.id, 'sub_2'))).toEqual(TAKEN)
    await remove(id)
    expect((await change(other.id, 'sub_2')).json()).toMatchObject({ external_id: 'sub_2', version: 2 })
    const restore = () => actor.call({ method: 'POST', url: `${url}/${id}/restore` })
    expect(refusalOf(await restore())).toEqual(TAKEN)
    expect((await change(other.id, null)).json()).toMatchObject({ external_id: null })
    expect((await restore()).json()).toMatchObject({ external_id: 'sub_2' })
  })

  test('has 1 to 255 characters', async () => {
    for (const external_id of ['', ' ', 'x'.repeat(256), 'a\nb'])
      expect((await createWith(external_id)).statusCode).toBe(422)
    expect((await createWith('x'.repeat(255))).statusCode).toBe(201)
  })
})

describe('deactivating a user', () => {
  test('ends their sessions at once, is audited, and reactivating lets them sign in again', async () => {
    const grace = await api.signIn('deactivated@example.com')
    const answer = await toggle(grace.admin.id, false)

    expect(answer.json()).toMatchObject({
      id: grace.admin.id,
      is_active: false,
      tenant_id: null,
      tenant_name: null,
      tenant_status: null,
    })
    expect((await grace.call({ method: 'GET', url: '/api/v1/admin/auth/me' })).statusCode).toBe(401)
    expect((await auditOf(grace.admin.id))[0]).toMatchObject({
      action: 'users.toggle',
      changes: { is_active: { before: true, after: false } },
    })
    await toggle(grace.admin.id, true)
    // The old session stays ended.
    expect((await grace.call({ method: 'GET', url: '/api/v1/admin/auth/me' })).statusCode).toBe(401)
    expect((await rowOf(grace.admin.id))?.is_active).toBe(true)
  })

  test('answers the number of ended sessions, without sessions that had ended before', async () => {
    const linus = await api.signIn('two-devices@example.com')
    const { id } = linus.admin
    const others = [0, 1].map((n) => ({
      user_id: id,
      token_hash: Buffer.alloc(32, `${n}${id}`),
      created_at: api.clock.at,
      last_seen_at: api.clock.at,
      expires_at: new Date(api.clock.at.getTime() + (n === 0 ? 60_000 : -60_000)),
    }))
    await db.insertInto('sessions').values(others).execute()
    expect((await toggle(id, false)).json().ended_session_count).toBe(2)
    expect((await toggle(id, false)).json().ended_session_count).toBe(0)
    expect((await toggle(id, true)).json().ended_session_count).toBe(0)
  })

  test('twice changes and audits once', async () => {
    const { id } = await makeUser(db, { role: 'user', tenant_id: tenant.id })
    expect((await toggle(id, false)).json().is_active).toBe(false)
    expect((await toggle(id, false)).json().is_active).toBe(false)
    expect(await auditOf(id)).toHaveLength(1)
  })

  test('without a new status is refused', async () => {
    const { id } = await makeUser(db, { role: 'user', tenant_id: tenant.id })
    for (const body of [{}, { is_active: 'false' }, { is_active: false, role: 'super_admin' }])
      expect((await actor.call({ method: 'PATCH', url: `${url}/${id}/toggle`, body })).statusCode).toBe(422)
  })
})

describe('deleting a user', () => {
  test('removes them with their sessions, is audited and counted by their tenant', async () => {
    const own = await makeTenant(db)
    const { id } = await makeUser(db, { email: 'doomed@example.com', role: 'user', tenant_id: own.id })

    expect((await remove(id)).statusCode).toBe(204)
    expect(await rowOf(id)).toBeUndefined()
    expect((await auditOf(id))[0]).toMatchObject({ action: 'users.delete', target_name: 'doomed@example.com' })
    expect(
      await db.selectFrom('tenants').select('admin_count').where('id', '=', own.id).executeTakeFirstOrThrow(),
    ).toEqual({ admin_count: 0 })
    expect((await remove(id)).statusCode).toBe(404)
  })

  test('of a super admin ends their session at once', async () => {
    const grace = await api.signIn()
    await remove(grace.admin.id)
    expect((await grace.call({ method: 'GET', url: '/api/v1/admin/auth/me' })).statusCode).toBe(401)
  })

  test.for(['6f6f1b0e-0000-4000-8000-000000000000', tenant.id])('of an unknown user (%s) is 404', async (id) => {
    for (const answer of [await remove(id), await toggle(id, false)])
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'User not found' }])
  })

  test.for(['../../etc/passwd', "1' or '1'='1", 'x'.repeat(1_000), '%00', '42'])(
    'with the id %s is refused',
    async (id) => {
      expect([404, 422]).toContain((await remove(encodeURIComponent(id))).statusCode)
    },
  )

  test('while its tenant is deleted never fails for either', async () => {
    for (let round = 0; round < 20; round += 1) {
      const doomed = await makeTenant(db)
      const { id } = await makeUser(db, { role: 'user', tenant_id: doomed.id })
      const answers = await Promise.all([
        remove(id),
        actor.call({ method: 'DELETE', url: `/api/v1/admin/tenants/${doomed.id}` }),
        create({ email: `late-${round}@example.com`, tenant_id: doomed.id }),
      ])
      for (const { statusCode } of answers) expect([201, 204, 404]).toContain(statusCode)
    }
  })
})

describe('super admins', () => {
  test('cannot deactivate or delete themselves', async () => {
    expect((await toggle(actor.admin.id, false)).json()).toMatchObject({
      detail: 'You cannot deactivate your own account.',
    })
    const answer = await remove(actor.admin.id)
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { detail: 'You cannot delete your own account.' }])
    const refusals = (await auditOfRefusals()).filter(({ actor_id }) => actor_id === actor.admin.id)
    expect(refusals.map(({ reason }) => reason)).toContain('You cannot delete your own account.')
  })

  test('deleted a moment ago can neither sign in nor change users', async () => {
    for (const is_active of [true, false]) {
      const [removed, target] = [await sessionOf(), await makeUser(db, { is_active: !is_active })]
      const answer = await db.transaction().execute(async (trx) => {
        await lockSuperAdmins(trx)
        // The call has passed authentication and waits for the lock.
        const waiting = toggle(target.id, is_active, removed)
        await expect.poll(async () => (await waitingForLock()).length).toBe(1)
        await trx.updateTable('users').set({ is_active: false }).where('id', '=', removed.admin.id).execute()
        return { waiting }
      })
      expect((await answer.waiting).statusCode).toBe(401)
      expect(await rowOf(target.id)).toMatchObject({ is_active: !is_active })
    }
  })

  test('never all disappear: of two who delete each other at once one remains, 100 times', async () => {
    for (let round = 0; round < 100; round += 1) {
      await db.deleteFrom('users').where('role', '=', 'super_admin').execute()
      const [one, other] = [await sessionOf(), await sessionOf()]
      const attack = (target: string, who: typeof one) =>
        round % 2 === 0 ? remove(target, who) : toggle(target, false, who)
      const answers = await Promise.all([attack(other.admin.id, one), attack(one.admin.id, other)])

      const active = await db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'super_admin')
        .where('is_active', '=', true)
        .execute()
      expect(active).toHaveLength(1)
      // The slower request fails in the guard or, when it began later, at authentication.
      const codes = answers.map((answer) => answer.statusCode)
      expect(codes.filter((code) => code < 300)).toHaveLength(1)
      expect([401, 409]).toContain(codes.find((code) => code >= 300))
      if (codes.includes(409)) {
        const verb = round % 2 === 0 ? 'deleted' : 'deactivated'
        expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
          detail: `The last active super admin cannot be ${verb}.`,
        })
      }
    }
  })
})

const waitingForLock = async () =>
  (
    await sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  ).rows

const auditOfRefusals = () =>
  db.selectFrom('audit_entries').orderBy('seq').selectAll().where('outcome', '=', 'refused').execute()

/** A super admin with a session, inserted without the API: a hundred rounds need no hashing. */
async function sessionOf() {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const admin = await makeUser(db)
  const at = api.clock.at
  const session = { created_at: at, last_seen_at: at, expires_at: new Date(at.getTime() + 3_600_000) }
  await db
    .insertInto('sessions')
    .values({ ...session, user_id: admin.id, token_hash: accessTokenHash(token) })
    .execute()
  const call: typeof actor.call = (request) =>
    api.call({ ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } })
  return { admin, token, call }
}
