import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, test } from 'vitest'
import { enrollTotp } from '#src/testing/enrolled-accounts.ts'
import { createAuthenticator } from '#src/testing/software-authenticator.ts'
import { startTestApi } from '#src/testing/test-api.ts'
import { resetSecondFactorOf } from './reset-second-factor.service.ts'

const api = await startTestApi()
const { db, clock } = api
const URL = '/api/v1/admin/auth/second-factors'

beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  await db.updateTable('security_settings').set({ second_factor_required: false }).execute()
  await db.deleteFrom('sign_in_attempts').execute()
})

type Session = Awaited<ReturnType<typeof api.signIn>>
const list = async ({ call }: Session) => (await call({ method: 'GET', url: URL })).json()
const refused = (answer: { statusCode: number; json: () => unknown }) => [answer.statusCode, answer.json()]
const actionsOf = async (actorId: string) =>
  (
    await db
      .selectFrom('audit_entries')
      .orderBy('seq')
      .select(['action', 'outcome', 'changes'])
      .where('actor_id', '=', actorId)
      .execute()
  ).map(({ action, outcome, changes }) => [action, outcome, changes])

describe('an authenticator app', () => {
  test('is added with its code, comes with ten recovery codes the first time, and ends the other sessions', async () => {
    const session = await api.signIn()
    const other = (await api.login(session.admin.email)).json().access_token
    const { answer, recoveryCodes } = await enrollTotp(api, session)
    expect(answer.statusCode).toBe(201)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/)
    expect(await list(session)).toEqual({
      second_factors: [
        {
          id: answer.json().id,
          kind: 'totp',
          name: 'Phone',
          is_user_verifying: false,
          created_at: '2026-11-20T12:00:00.000Z',
          last_used_at: null,
        },
      ],
      unused_recovery_codes: 10,
      is_required: false,
    })
    expect((await api.me(other)).statusCode).toBe(401)
    expect((await api.me(session.token)).statusCode).toBe(200)
    expect((await enrollTotp(api, session, 'Tablet')).answer.json().recovery_codes).toBeNull()
    expect(await actionsOf(session.admin.id)).toContainEqual([
      'second_factors.add_totp',
      'done',
      { second_factor: { before: null, after: 'Phone' } },
    ])
  })

  test('is not added with a wrong code, after five minutes, twice, or by another account', async () => {
    const [session, stranger] = [await api.signIn(), await api.signIn()]
    const { id } = (await session.call({ method: 'POST', url: `${URL}/totp/begin` })).json()
    const add = (by: Session, code = '000000') =>
      by.call({ method: 'POST', url: `${URL}/totp`, body: { id, name: 'Phone', code } })
    expect((await add(session)).json().detail).toMatchObject([{ loc: ['body', 'code'] }])
    expect((await add(stranger)).statusCode).toBe(409)
    api.minutesLater(6)
    expect((await add(session)).statusCode).toBe(409)
    expect((await list(session)).second_factors).toEqual([])
  })

  test('has its secret only in the answer that begins its enrollment', async () => {
    const session = await api.signIn()
    const { secret } = (await session.call({ method: 'POST', url: `${URL}/totp/begin` })).json()
    expect(JSON.stringify(await list(session))).not.toContain(secret)
    expect(api.logLines.join('')).not.toContain(secret)
  })

  test('is refused after eight second factors', async () => {
    const session = await api.signIn()
    for (let n = 0; n < 8; n += 1) await enrollTotp(api, session, `Phone ${n}`)
    const { answer } = await enrollTotp(api, session, 'One more')
    expect(refused(answer)).toMatchObject([409, { detail: 'An account can have 8 second factors.' }])
  })
})

describe('a passkey', () => {
  const begin = async ({ call }: Session) =>
    (await call({ method: 'POST', url: `${URL}/passkey/begin`, headers: { host: 'localhost:3000' } })).json()
  const local = { origin: 'http://localhost:3000', rp_id: 'localhost' }

  test('is added for the site of the request', async () => {
    const session = await api.signIn()
    const { id, passkey } = await begin(session)
    expect(passkey).toMatchObject({ rp_id: 'localhost', rp_name: 'Switchboard', user_name: session.admin.email })
    const body = { id, name: 'Laptop', passkey: createAuthenticator(local).create(passkey.challenge) }
    const headers = { host: 'localhost:3000' }
    const answer = await session.call({ method: 'POST', url: `${URL}/passkey`, body, headers })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ kind: 'passkey', name: 'Laptop', is_user_verifying: true })
    expect(answer.json().recovery_codes).toHaveLength(10)
    const again = await begin(session)
    expect(again.passkey.credentials).toEqual([{ id: body.passkey.credential_id, transports: ['internal'] }])
  })

  test.for([
    ['of another site', { origin: 'https://evil.example', rp_id: 'localhost' }, null],
    ['of another host name', { origin: local.origin, rp_id: 'evil.example' }, null],
    ['for another challenge', local, 'x'.repeat(43)],
  ] as const)('%s is refused', async ([, site, challenge]) => {
    const session = await api.signIn()
    const { id, passkey } = await begin(session)
    const body = { id, name: 'Laptop', passkey: createAuthenticator(site).create(challenge ?? passkey.challenge) }
    const headers = { host: 'localhost:3000' }
    const answer = await session.call({ method: 'POST', url: `${URL}/passkey`, body, headers })
    expect([answer.statusCode, answer.json().detail[0].msg]).toEqual([422, 'This passkey could not be verified.'])
  })
})

describe('removing', () => {
  test('the last second factor removes the recovery codes', async () => {
    const session = await api.signIn()
    const { answer } = await enrollTotp(api, session)
    const removed = await session.call({ method: 'DELETE', url: `${URL}/${answer.json().id}` })
    expect(removed.statusCode).toBe(204)
    expect(await list(session)).toMatchObject({ second_factors: [], unused_recovery_codes: 0 })
    expect((await api.login(session.admin.email)).statusCode).toBe(200)
  })

  test('the last second factor is refused while one is required, and a second factor of another account always', async () => {
    const [session, stranger] = [await api.signIn(), await api.signIn()]
    const { answer } = await enrollTotp(api, session)
    await enrollTotp(api, stranger)
    await session.call({ method: 'PUT', url: '/api/v1/admin/security', body: { second_factor_required: true } })
    const url = `${URL}/${answer.json().id}`
    expect((await stranger.call({ method: 'DELETE', url })).statusCode).toBe(404)
    expect((await session.call({ method: 'DELETE', url })).statusCode).toBe(409)
    await enrollTotp(api, session, 'Tablet')
    expect((await session.call({ method: 'DELETE', url })).statusCode).toBe(204)
  })

  test('all but one in parallel leaves one while a second factor is required', async () => {
    const session = await api.signIn()
    const ids = [await enrollTotp(api, session), await enrollTotp(api, session)].map(({ answer }) => answer.json().id)
    await session.call({ method: 'PUT', url: '/api/v1/admin/security', body: { second_factor_required: true } })
    const answers = await Promise.all(ids.map((id) => session.call({ method: 'DELETE', url: `${URL}/${id}` })))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([204, 409]))
  })
})

test('new recovery codes replace the old ones', async () => {
  const session = await api.signIn()
  const renew = () => session.call({ method: 'POST', url: `${URL}/recovery-codes` })
  expect((await renew()).statusCode).toBe(409)
  const { recoveryCodes } = await enrollTotp(api, session)
  const renewed: string[] = (await renew()).json().recovery_codes
  expect(new Set([...recoveryCodes, ...renewed]).size).toBe(20)
  expect(await list(session)).toMatchObject({ unused_recovery_codes: 10 })
  const stored = await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', session.admin.id).execute()
  expect(JSON.stringify(stored)).not.toContain(renewed[0])
})

describe('while a second factor is required', () => {
  const require = (session: Session) =>
    session.call({ method: 'PUT', url: '/api/v1/admin/security', body: { second_factor_required: true } })

  test('an account without one can only enroll one, and then do everything', async () => {
    const [boss, newcomer] = [await api.signIn(), await api.signIn(undefined, 'auditor')]
    expect(refused(await require(boss))).toMatchObject([
      409,
      { detail: 'Add a second factor to your own account first.' },
    ])
    await enrollTotp(api, boss)
    expect((await require(boss)).json()).toMatchObject({ second_factor_required: true })

    const tenants = { method: 'GET', url: '/api/v1/admin/tenants' } as const
    expect(refused(await newcomer.call(tenants))).toMatchObject([
      403,
      { detail: 'Add a second factor to your account first.', code: 'second_factor_required' },
    ])
    expect((await api.me(newcomer.token)).json()).toMatchObject({ must_enroll: true })
    expect((await boss.call(tenants)).statusCode).toBe(200)
    const late = await makeUser(db, { password_hash: await api.deps.passwords.hash('four kettles under plum') })
    expect((await api.login(late.email)).json().admin).toMatchObject({ must_enroll: true })

    await enrollTotp(api, newcomer)
    expect((await api.me(newcomer.token)).json()).not.toHaveProperty('must_enroll')
    expect((await newcomer.call(tenants)).statusCode).toBe(200)
  })

  test('only your profile, the enrollment, the confirmation and the sign-out are open', () => {
    const open = ADMIN_API_ENDPOINTS.filter(({ config }) => config?.unenrolled === true)
    expect(open.map(({ schema }) => schema.operationId)).toEqual([
      'auth.me',
      'auth.logout',
      'auth.begin_confirm',
      'auth.confirm',
      'second_factors.list',
      'second_factors.begin_totp',
      'second_factors.add_totp',
      'second_factors.begin_passkey',
      'second_factors.add_passkey',
    ])
  })
})

describe('a reset', () => {
  test('removes the second factors of another account and ends its sessions, and is audited', async () => {
    const [boss, lost] = [await api.signIn(), await api.signIn(undefined, 'support')]
    await enrollTotp(api, lost)
    const reset = (id: string) => boss.call({ method: 'DELETE', url: `/api/v1/admin/team/${id}/second-factor` })
    expect((await reset(lost.admin.id)).statusCode).toBe(204)
    expect((await api.me(lost.token)).statusCode).toBe(401)
    expect((await api.login(lost.admin.email)).statusCode).toBe(200)
    expect(await api.doneTo(lost.admin.id)).toMatchObject([
      { action: 'second_factors.reset', actor_id: boss.admin.id, changes: { second_factors: { before: 1, after: 0 } } },
    ])
    const tenant = await makeTenant(db)
    const user = await makeUser(db, { role: 'user', tenant_id: tenant.id })
    expect((await reset(user.id)).statusCode).toBe(404)
    expect((await reset(boss.admin.id)).statusCode).toBe(409)
  })

  test('by the command line needs the email address', async () => {
    const lost = await api.signIn()
    await enrollTotp(api, lost)
    expect(await resetSecondFactorOf(api.deps, lost.admin.email.toUpperCase())).toBe(lost.admin.email)
    expect((await api.login(lost.admin.email)).statusCode).toBe(200)
    await expect(resetSecondFactorOf(api.deps, 'unknown@example.com')).rejects.toThrow('Account not found')
    expect(await api.doneTo(lost.admin.id)).toMatchObject([{ actor_email: 'command line', actor_id: null }])
  })
})
