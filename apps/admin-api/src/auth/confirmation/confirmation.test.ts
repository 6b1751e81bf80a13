import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { CONFIRM_FIRST, CONFIRMATION_REQUIRED, CONFIRMED_MINUTES } from '@switchboard/contract/auth/confirmed'
import { makeApiKey, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { describe, expect, test } from 'vitest'
import { enrollTotp } from '#src/testing/enrolled-accounts.ts'
import { createAuthenticator } from '#src/testing/software-authenticator.ts'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const REQUIRED = { detail: CONFIRM_FIRST, code: CONFIRMATION_REQUIRED }
const SENSITIVE = ADMIN_API_ENDPOINTS.filter(({ config }) => config?.confirmed === true)
const ID = '7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d'

type Caller = Awaited<ReturnType<typeof api.signIn>>
const confirm = ({ call }: Caller, password = PASSWORD) =>
  call({ method: 'POST', url: '/api/v1/admin/auth/confirm', body: { password } })
const remove = ({ call }: Caller, id: string) => call({ method: 'DELETE', url: `/api/v1/admin/tenant-admins/${id}` })

/** A session whose sign-in is too old for sensitive calls. */
async function oldSession(): Promise<Caller> {
  const caller = await api.signIn()
  api.minutesLater(CONFIRMED_MINUTES)
  return caller
}

describe('every sensitive call', () => {
  test.for(SENSITIVE)('$method $url needs a recent sign-in', async ({ method, url }) => {
    const caller = await api.signIn()
    const request = { method, url: url.replaceAll(/:\w+/g, ID) }
    expect((await caller.call(request)).body).not.toContain(CONFIRMATION_REQUIRED)
    api.minutesLater(CONFIRMED_MINUTES)
    const answer = await caller.call(request)
    expect([answer.statusCode, answer.json()]).toEqual([403, REQUIRED])
  })

  test('is done just before the end of the minutes', async () => {
    const caller = await api.signIn()
    const user = await makeUser(api.db)
    api.minutesLater(CONFIRMED_MINUTES - 1)
    expect((await remove(caller, user.id)).statusCode).toBe(204)
  })

  test('changes nothing without a confirmation, and is not audited', async () => {
    const caller = await oldSession()
    const user = await makeUser(api.db)
    expect((await remove(caller, user.id)).json()).toMatchObject(REQUIRED)
    expect(await api.db.selectFrom('users').select('id').where('id', '=', user.id).execute()).toHaveLength(1)
    expect(await api.refusedTo(caller.admin.id)).toEqual([])
  })

  test('is refused for its role first', async () => {
    const caller = await api.signIn(undefined, 'auditor')
    api.minutesLater(CONFIRMED_MINUTES)
    expect((await remove(caller, ID)).json()).not.toHaveProperty('reason')
  })
})

test('other calls need no confirmation', async () => {
  const { call } = await oldSession()
  const body = { name: 'Harbor', subdomain: 'harbor', tenant_type: 'product' }
  expect((await call({ method: 'POST', url: '/api/v1/admin/tenants', body })).statusCode).toBe(201)
  expect((await call({ method: 'GET', url: '/api/v1/admin/tenants' })).statusCode).toBe(200)
})

describe('in some cases', () => {
  const USERS = '/api/v1/admin/tenant-admins'
  const answered = async (answer: ReturnType<Caller['call']>) => [(await answer).statusCode, (await answer).json()]

  test.for([
    ['tenants', ['suspend', 'delete', 'restore'], ['reactivate']],
    ['tenant-admins', ['activate', 'deactivate', 'delete', 'restore'], []],
    ['api-keys', ['deactivate', 'delete', 'restore'], ['activate']],
    ['tasks', ['delete', 'restore'], ['pause', 'resume']],
  ] as const)('a bulk change of %s needs a confirmation for %o, and for %o none', async ([noun, asking, free]) => {
    const { call } = await oldSession()
    const bulk = (action: string) =>
      call({ method: 'POST', url: `/api/v1/admin/${noun}/bulk`, body: { action, ids: [ID] } })
    for (const action of asking) expect(await answered(bulk(action))).toEqual([403, REQUIRED])
    for (const action of free) expect((await bulk(action)).statusCode).toBe(200)
  })

  test('a user of a tenant needs a confirmation for a new address, not for other fields', async () => {
    const { call } = await oldSession()
    const tenant = await makeTenant(api.db)
    const user = await makeUser(api.db, { role: 'user', tenant_id: tenant.id })
    const change = (body: object) => call({ method: 'PATCH', url: `${USERS}/${user.id}`, body })
    expect(await answered(change({ email: 'other@example.com' }))).toEqual([403, REQUIRED])
    expect((await change({ email: user.email, role: 'manager' })).statusCode).toBe(200)
    const toggle = call({ method: 'PATCH', url: `${USERS}/${user.id}/toggle`, body: { is_active: false } })
    expect((await toggle).statusCode).toBe(200)
  })

  test('a key needs a confirmation for a later expiry, not for an earlier one or another name', async () => {
    const { call } = await oldSession()
    const tenant = await makeTenant(api.db)
    const hours = (count: number) => new Date(api.clock.at.getTime() + count * 3_600_000)
    const key = await makeApiKey(api.db, { tenant_id: tenant.id, expires_at: hours(2), original_expires_at: hours(2) })
    const change = (body: object) => call({ method: 'PATCH', url: `/api/v1/admin/api-keys/${key.id}`, body })
    expect(await answered(change({ expires_at: null }))).toEqual([403, REQUIRED])
    expect(await answered(change({ expires_at: hours(3).toISOString(), name: 'Shop' }))).toEqual([403, REQUIRED])
    expect((await change({ expires_at: hours(2).toISOString(), name: 'Shop' })).statusCode).toBe(200)
    expect((await change({ expires_at: hours(1).toISOString() })).statusCode).toBe(200)
  })

  test('a service token needs none', async () => {
    const maker = await makeUser(api.db)
    const { token } = await makeToken(api.db, { created_by_id: maker.id })
    const tenant = await makeTenant(api.db)
    const user = await makeUser(api.db, { role: 'user', tenant_id: tenant.id })
    const headers = { authorization: `Bearer ${token}` }
    const body = { email: 'renamed.by.token@example.com' }
    expect((await api.call({ method: 'PATCH', url: `${USERS}/${user.id}`, body, headers })).statusCode).toBe(200)
  })
})

describe('a confirmation', () => {
  test('opens the sensitive calls of its session for the minutes, and is audited', async () => {
    const caller = await oldSession()
    const other = await api.login(caller.admin.email)
    api.minutesLater(CONFIRMED_MINUTES)
    const answer = await confirm(caller)
    const until = new Date(api.clock.at.getTime() + CONFIRMED_MINUTES * 60_000)
    expect([answer.statusCode, answer.json()]).toEqual([200, { confirmed_until: until.toISOString() }])
    const user = await makeUser(api.db)
    expect((await remove(caller, user.id)).statusCode).toBe(204)

    const headers = { authorization: `Bearer ${other.json().access_token}` }
    const ofOther = await api.call({ method: 'DELETE', url: `/api/v1/admin/tenant-admins/${ID}`, headers })
    expect(ofOther.json()).toMatchObject(REQUIRED)
    const rows = await api.db
      .selectFrom('audit_entries')
      .orderBy('seq')
      .select(['action', 'outcome', 'target_type', 'target_name', 'changes'])
      .where('actor_id', '=', caller.admin.id)
      .where('action', '=', 'auth.confirm')
      .execute()
    expect(rows).toEqual([
      {
        action: 'auth.confirm',
        outcome: 'done',
        target_type: 'session',
        target_name: caller.admin.email,
        changes: { method: { before: null, after: 'password' } },
      },
    ])
  })

  test('with a wrong password is a 400, opens nothing, and is audited', async () => {
    const caller = await oldSession()
    const answer = await confirm(caller, 'wrong')
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { detail: 'Current password is incorrect' }])
    expect((await remove(caller, ID)).json()).toMatchObject(REQUIRED)
    expect(await api.refusedTo(caller.admin.id)).toMatchObject([{ action: 'auth.confirm' }])
  })

  test('counts wrong passwords with those of the profile', async () => {
    const caller = await oldSession()
    const guesses = await Promise.all(Array.from({ length: 30 }, () => confirm(caller, 'wrong')))
    const statuses = guesses.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect((await confirm(caller)).statusCode).toBe(429)
    const profile = { method: 'PUT' as const, url: '/api/v1/admin/auth/profile' }
    const body = { current_password: PASSWORD, new_password: 'seven sisters walk at dusk' }
    expect((await caller.call({ ...profile, body })).statusCode).toBe(429)
    expect((await api.login(caller.admin.email)).statusCode).toBe(200)
  })

  test('precedes the enrollment of a second factor, also while one is required', async () => {
    const caller = await oldSession()
    const begin = () => caller.call({ method: 'POST', url: '/api/v1/admin/auth/second-factors/totp/begin' })
    await api.db.updateTable('security_settings').set({ second_factor_required: true }).execute()
    try {
      expect((await begin()).json()).toMatchObject(REQUIRED)
      expect((await confirm(caller)).statusCode).toBe(200)
      expect((await begin()).statusCode).toBe(200)
    } finally {
      await api.db.updateTable('security_settings').set({ second_factor_required: false }).execute()
    }
  })

  test('of an ended session is a 401', async () => {
    const caller = await oldSession()
    await caller.call({ method: 'POST', url: '/api/v1/admin/auth/logout' })
    expect((await confirm(caller)).statusCode).toBe(401)
  })
})

describe('a confirmation by the second factor', () => {
  const CONFIRM = '/api/v1/admin/auth/confirm'
  const begin = async ({ call }: Caller) => (await call({ method: 'POST', url: `${CONFIRM}/begin` })).json().challenge
  const prove = ({ call }: Caller, id: string, proof: object) =>
    call({ method: 'POST', url: CONFIRM, body: { id, ...proof } })
  const WRONG = [400, { detail: 'This is not right, or was used before.' }]
  const ENDED = [400, { detail: 'This question has ended. Try again.' }]
  const told = (answer: Awaited<ReturnType<typeof prove>>) => [answer.statusCode, answer.json()]

  /** An old session of an account with an authenticator app. */
  async function enrolledSession() {
    const caller = await api.signIn()
    const factor = await enrollTotp(api, caller)
    api.minutesLater(CONFIRMED_MINUTES)
    return { caller, ...factor }
  }

  test('with a code opens a bulk deletion, once for each code, and is audited', async () => {
    const { caller, codeAt } = await enrolledSession()
    const { id } = await makeTenant(api.db)
    const removeTenant = () =>
      caller.call({ method: 'POST', url: '/api/v1/admin/tenants/bulk', body: { action: 'delete', ids: [id] } })
    expect((await removeTenant()).json()).toMatchObject(REQUIRED)
    const challenge = await begin(caller)
    expect(challenge).toMatchObject({ methods: ['totp', 'recovery_code'] })
    expect(told(await prove(caller, challenge.id, { code: '000000' }))).toMatchObject(WRONG)
    expect((await prove(caller, challenge.id, { code: codeAt() })).statusCode).toBe(200)
    expect((await removeTenant()).json().results).toMatchObject([{ outcome: 'done' }])

    expect(told(await prove(caller, (await begin(caller)).id, { code: codeAt() }))).toMatchObject(WRONG)
    const rows = await api.db
      .selectFrom('audit_entries')
      .orderBy('seq')
      .select(['outcome', 'changes'])
      .where('actor_id', '=', caller.admin.id)
      .where('action', '=', 'auth.confirm')
      .where('outcome', '=', 'done')
      .execute()
    expect(rows).toEqual([{ outcome: 'done', changes: { method: { before: null, after: 'totp' } } }])
  })

  test('with a recovery code uses the code up', async () => {
    const { caller, recoveryCodes } = await enrolledSession()
    const recovery_code = recoveryCodes[0]
    expect((await prove(caller, (await begin(caller)).id, { recovery_code })).statusCode).toBe(200)
    expect(told(await prove(caller, (await begin(caller)).id, { recovery_code }))).toMatchObject(WRONG)
  })

  /** An account with a passkey: a session whose confirmation is no longer recent, and the authenticator. */
  async function passkeySession({ verifies }: { verifies: boolean }) {
    const caller = await api.signIn()
    const authenticator = createAuthenticator({ origin: 'http://localhost', rp_id: 'localhost' }, { verifies })
    const call: Caller['call'] = (request) =>
      caller.call({ ...request, headers: { ...request.headers, host: 'localhost' } })
    const url = '/api/v1/admin/auth/second-factors/passkey'
    const { id, passkey } = (await call({ method: 'POST', url: `${url}/begin` })).json()
    await call({ method: 'POST', url, body: { id, name: 'Laptop', passkey: authenticator.create(passkey.challenge) } })
    api.minutesLater(CONFIRMED_MINUTES)
    return { here: { ...caller, call }, authenticator }
  }

  test('with a passkey that verifies its user allows a sensitive call, and each signature counts once', async () => {
    const { here, authenticator } = await passkeySession({ verifies: true })
    expect((await remove(here, ID)).json()).toMatchObject(REQUIRED)
    const challenge = await begin(here)
    expect(challenge.passkey.user_verification).toBe('required')
    const proof = { passkey: authenticator.answer(challenge.passkey.challenge) }
    expect((await prove(here, challenge.id, proof)).statusCode).toBe(200)
    expect((await remove(here, ID)).statusCode).toBe(404)
    expect(told(await prove(here, challenge.id, proof))).toMatchObject(ENDED)
  })

  test('with a passkey that does not verify its user needs the password too', async () => {
    const { here, authenticator } = await passkeySession({ verifies: false })
    const challenge = await begin(here)
    expect(challenge.passkey.user_verification).toBe('preferred')
    const passkey = () => ({ passkey: authenticator.answer(challenge.passkey.challenge) })
    expect(told(await prove(here, challenge.id, passkey()))).toMatchObject(WRONG)
    const wrong = await prove(here, challenge.id, { ...passkey(), password: 'wrong' })
    expect(told(wrong)).toMatchObject([400, { detail: 'Current password is incorrect' }])
    expect((await remove(here, ID)).json()).toMatchObject(REQUIRED)
    expect((await prove(here, challenge.id, { ...passkey(), password: PASSWORD })).statusCode).toBe(200)
    expect((await remove(here, ID)).statusCode).toBe(404)
  })

  test('is required of an account that has one: a stolen token and the password cannot remove the factor', async () => {
    const { caller } = await enrolledSession()
    const factors = '/api/v1/admin/auth/second-factors'
    const [factor] = (await caller.call({ method: 'GET', url: factors })).json().second_factors
    const attacks = () =>
      Promise.all([
        caller.call({ method: 'POST', url: `${factors}/recovery-codes` }),
        caller.call({ method: 'DELETE', url: `${factors}/${factor.id}` }),
        caller.call({ method: 'POST', url: `${factors}/totp/begin` }),
        caller.call({ method: 'PUT', url: '/api/v1/admin/security', body: { second_factor_required: false } }),
        caller.call({ method: 'PATCH', url: `/api/v1/admin/team/${ID}`, body: { role: 'auditor' } }),
        caller.call({ method: 'POST', url: '/api/v1/admin/tokens', body: { name: 'Evil', scopes: ['read'] } }),
      ])
    expect(told(await confirm(caller))).toMatchObject([
      400,
      { detail: 'Confirm with your second factor. The password alone is not enough for this account.' },
    ])
    for (const answer of await attacks()) expect(told(answer)).toEqual([403, REQUIRED])
    // A confirmation does not count either if it is older than the factor, or was made without it.
    await api.db.updateTable('sessions').set({ confirmed_at: api.clock.at }).execute()
    for (const answer of await attacks()) expect(told(answer)).toEqual([403, REQUIRED])
    const login = await api.login(caller.admin.email)
    expect([login.statusCode, login.json()]).toMatchObject([401, { challenge: { methods: ['totp', 'recovery_code'] } }])
  })

  test('is not asked for within the minutes after a sign-in with the factor, nor after its enrollment', async () => {
    const { caller, codeAt } = await enrolledSession()
    const { challenge } = (await api.login(caller.admin.email)).json()
    const body = { id: challenge.id, code: codeAt() }
    const signedIn = await api.call({ method: 'POST', url: '/api/v1/admin/auth/challenge', body })
    const headers = { authorization: `Bearer ${signedIn.json().access_token}` }
    const removed = await api.call({ method: 'DELETE', url: `/api/v1/admin/tenant-admins/${ID}`, headers })
    expect(removed.statusCode).toBe(404)
    const newcomer = await api.signIn()
    await enrollTotp(api, newcomer)
    expect((await remove(newcomer, ID)).statusCode).toBe(404)
  })

  test('is not possible with the challenge of another account or of a sign-in', async () => {
    const [one, other] = [await enrolledSession(), await enrolledSession()]
    const foreign = await begin(other.caller)
    expect(told(await prove(one.caller, foreign.id, { code: other.codeAt() }))).toMatchObject(ENDED)
    const { challenge } = (await api.login(one.caller.admin.email)).json()
    expect(told(await prove(one.caller, challenge.id, { code: one.codeAt() }))).toMatchObject(ENDED)
    expect((await remove(one.caller, ID)).json()).toMatchObject(REQUIRED)
  })

  test('ends its challenge after five wrong answers', async () => {
    const { caller, codeAt } = await enrolledSession()
    const { id } = await begin(caller)
    for (let n = 0; n < 5; n += 1) expect(told(await prove(caller, id, { code: `00000${n}` }))).toMatchObject(WRONG)
    expect(told(await prove(caller, id, { code: codeAt() }))).toMatchObject(ENDED)
  })

  test('has no challenge for an account without a second factor', async () => {
    expect(await begin(await api.signIn())).toBeNull()
  })
})
