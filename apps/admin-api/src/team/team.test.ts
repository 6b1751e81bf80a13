import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { describe, expect, test } from 'vitest'
import { startSession } from '#src/auth/sessions/sessions.service.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn('ada@example.com')
const url = '/api/v1/admin/team'
const tenant = await makeTenant(db)

const openSession = (user_id: string) =>
  startSession(api.deps, db, { user_id, address: '192.0.2.7', user_agent: 'Browser' })
const sessionsOf = async (id: string) =>
  await db.selectFrom('sessions').select('id').where('user_id', '=', id).orderBy('id').execute()
const list = async () => (await actor.call({ method: 'GET', url })).json()
const patch = (id: string, body: object, version?: number, who = actor) =>
  who.call({
    method: 'PATCH',
    url: `${url}/${id}`,
    body,
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })
const remove = (id: string, who = actor) => who.call({ method: 'DELETE', url: `${url}/${id}` })
const end = (path: string, who = actor) => who.call({ method: 'DELETE', url: `${url}/${path}` })
const refusal = (answer: { statusCode: number; json: () => unknown }) => [answer.statusCode, answer.json()]

describe('the list', () => {
  test('has everyone who runs the console by email address, with their live sessions, and no user of a tenant', async () => {
    const auditor = await makeUser(db, { email: 'zoe@example.com', role: 'auditor', is_active: false })
    await makeUser(db, { role: 'admin', tenant_id: tenant.id })
    const support = await makeUser(db, { email: 'bob@example.com', role: 'support' })
    await openSession(support.id)
    await openSession(support.id)
    await db.updateTable('sessions').set({ expires_at: api.clock.at }).where('user_id', '=', support.id).execute()
    await openSession(support.id)

    const found = await list()
    expect(found.map(({ email }: { email: string }) => email)).toEqual([
      'ada@example.com',
      'bob@example.com',
      'zoe@example.com',
    ])
    expect(found[1]).toEqual({
      id: support.id,
      email: 'bob@example.com',
      name: null,
      role: 'support',
      is_active: true,
      created_at: support.created_at,
      last_sign_in_at: null,
      second_factors: [],
      open_session_count: 1,
      email_change: null,
      sign_in_methods: [],
      may_use_password: true,
      tokens: [],
      invitation_count: 0,
      version: 1,
    })
    expect(found[0]).toMatchObject({ last_sign_in_at: api.clock.at.toISOString(), open_session_count: 1 })
    expect(found[2]).toMatchObject({ id: auditor.id, is_active: false, open_session_count: 0 })
  })
})

describe('changing a member', () => {
  test('to another role takes effect with the next call of the session, and is audited with both roles', async () => {
    const support = await api.signIn(undefined, 'support')
    const answer = await patch(support.admin.id, { role: 'auditor' }, 1)
    expect([answer.statusCode, answer.headers['etag']]).toEqual([200, '"2"'])
    expect(answer.json()).toMatchObject({ role: 'auditor', is_active: true, open_session_count: 1, version: 2 })

    const me = await support.call({ method: 'GET', url: '/api/v1/admin/auth/me' })
    expect(me.json()).toMatchObject({ role: 'auditor' })
    const edit = await support.call({ method: 'POST', url: '/api/v1/admin/tenants', body: {} })
    expect(edit.statusCode).toBe(403)
    expect(await api.doneTo(support.admin.id)).toMatchObject([
      {
        action: 'team.update',
        actor_email: 'ada@example.com',
        target_type: 'user',
        target_name: support.admin.email,
        tenant_id: null,
        changes: { role: { before: 'support', after: 'auditor' } },
      },
    ])
  })

  test('to inactive ends all sessions at once', async () => {
    const support = await api.signIn(undefined, 'support')
    const answer = await patch(support.admin.id, { is_active: false })
    expect(answer.json()).toMatchObject({ is_active: false, open_session_count: 0 })
    expect(await sessionsOf(support.admin.id)).toEqual([])
    expect((await api.me(support.token)).statusCode).toBe(401)
    expect((await api.login(support.admin.email)).statusCode).toBe(401)
    expect((await patch(support.admin.id, { is_active: true })).json()).toMatchObject({ is_active: true })
    expect((await api.login(support.admin.email)).statusCode).toBe(200)
  })

  test('to the same values changes and audits nothing', async () => {
    const { id } = await makeUser(db, { role: 'auditor' })
    expect((await patch(id, { role: 'auditor', is_active: true })).json()).toMatchObject({ version: 1 })
    expect(await api.doneTo(id)).toEqual([])
  })

  test('with a stale version is 412 with the current member and the last editor', async () => {
    const { id } = await makeUser(db, { role: 'auditor' })
    const grace = await api.signIn('grace@example.com')
    await patch(id, { role: 'support' }, 1, grace)
    await openSession(id)
    await end(`${id}/sessions`)
    const answer = await patch(id, { is_active: false }, 1)
    expect(refusal(answer)).toMatchObject([
      412,
      {
        detail: 'Another admin has changed this member since you opened it.',
        current: { id, role: 'support', is_active: true, version: 2 },
        changed_by: 'grace@example.com',
      },
    ])
  })

  test.for([
    ['role', { role: 'auditor' }, 'You cannot demote your own account.'],
    ['status', { is_active: false }, 'You cannot deactivate your own account.'],
  ] as const)('is refused for your own %s', async ([, body, detail]) => {
    expect(refusal(await patch(actor.admin.id, body))).toMatchObject([409, { detail }])
    expect((await api.refusedTo(actor.admin.id)).at(-1)).toMatchObject({
      action: 'team.update',
      target_type: 'user',
      target_id: actor.admin.id,
      reason: detail,
    })
  })

  test.for([
    ['a role of a tenant', { role: 'admin' }],
    ['an email address', { email: 'taken-over@example.com' }],
    ['a tenant', { tenant_id: tenant.id }],
  ] as const)('with %s is 422', async ([, body]) => {
    const { id } = await makeUser(db, { role: 'auditor' })
    expect((await patch(id, body)).statusCode).toBe(422)
  })

  test('is 404 for a user of a tenant', async () => {
    const { id } = await makeUser(db, { role: 'user', tenant_id: tenant.id })
    for (const answer of [await patch(id, { role: 'super_admin' }), await remove(id), await end(`${id}/sessions`)])
      expect(refusal(answer)).toMatchObject([404, { detail: 'Member not found' }])
    expect((await actor.call({ method: 'GET', url: `${url}/${id}/sessions` })).statusCode).toBe(404)
  })
})

describe('the permission to use a password', () => {
  test('is given by another super admin, only to people who have used single sign-on', async () => {
    const { id } = await makeUser(db, { role: 'support', may_use_password: false })
    const allowed = await patch(id, { may_use_password: true }, 1)
    expect(allowed.json()).toMatchObject({ may_use_password: true, version: 2 })
    expect(refusal(await patch(id, { may_use_password: false }))).toMatchObject([
      409,
      { detail: 'This person has never used single sign-on. They need their password to sign in.' },
    ])
    const identity = { issuer: 'https://id.example.com', subject: id, user_id: id, created_at: api.clock.at }
    await db.insertInto('sso_identities').values(identity).execute()
    expect((await patch(id, { may_use_password: false })).json()).toMatchObject({
      may_use_password: false,
      sign_in_methods: ['single_sign_on'],
    })
    expect(refusal(await patch(actor.admin.id, { may_use_password: false }))).toMatchObject([
      409,
      { detail: 'Another super admin decides whether you may use a password.' },
    ])
    expect((await api.doneTo(id)).map(({ changes }) => changes)).toEqual([
      { may_use_password: { before: false, after: true } },
      { may_use_password: { before: true, after: false } },
    ])
  })
})

describe('removing a member', () => {
  test('revokes their tokens and withdraws their invitations, each with an audit entry, and the team lists both before', async () => {
    const grace = await api.signIn()
    const { id } = await makeToken(db, { created_by_id: grace.admin.id, name: 'Billing' })
    const body = { email: 'friend@example.com', role: 'super_admin' }
    await grace.call({ method: 'POST', url: '/api/v1/admin/invitations', body })
    const listed = (await list()).find((member: { id: string }) => member.id === grace.admin.id)
    expect(listed).toMatchObject({
      sign_in_methods: ['password'],
      open_session_count: 1,
      tokens: [{ id, name: 'Billing' }],
      invitation_count: 1,
    })
    expect((await remove(grace.admin.id)).statusCode).toBe(204)
    const entries = db
      .selectFrom('audit_entries')
      .select(['action', 'target_name', 'actor_email'])
      .orderBy('seq', 'desc')
    expect((await entries.limit(3).execute()).toReversed()).toEqual([
      { action: 'tokens.revoke', target_name: 'Billing', actor_email: 'ada@example.com' },
      { action: 'invitations.withdraw', target_name: 'friend@example.com', actor_email: 'ada@example.com' },
      { action: 'team.remove', target_name: grace.admin.email, actor_email: 'ada@example.com' },
    ])
  })

  test('ends the sessions and is audited with the removed fields', async () => {
    const auditor = await api.signIn(undefined, 'auditor')
    expect((await remove(auditor.admin.id)).statusCode).toBe(204)
    expect((await api.me(auditor.token)).statusCode).toBe(401)
    expect(await api.doneTo(auditor.admin.id)).toMatchObject([
      { action: 'team.remove', changes: { role: { before: 'auditor', after: null } } },
    ])
    expect((await remove(auditor.admin.id)).statusCode).toBe(404)
  })

  test('is refused for your own account', async () => {
    expect(refusal(await remove(actor.admin.id))).toMatchObject([
      409,
      { detail: 'You cannot remove your own account.' },
    ])
  })
})

describe('the sessions of a member', () => {
  test('are listed by their last use and ended one by one or all at once', async () => {
    const { id, email } = await makeUser(db, { role: 'support' })
    for (let count = 0; count < 3; count += 1) await openSession(id)
    const listed = await actor.call({ method: 'GET', url: `${url}/${id}/sessions` })
    const sessions: { id: string }[] = listed.json()
    expect(sessions).toHaveLength(3)
    const at = api.clock.at.toISOString()
    const shown = { address: '192.0.2.7', user_agent: 'Browser', created_at: at, last_seen_at: at }
    expect(sessions[0]).toEqual({ id: sessions[0]?.id, ...shown })

    expect((await end(`${id}/sessions/${sessions[0]?.id}`)).statusCode).toBe(204)
    expect((await end(`${id}/sessions/${sessions[0]?.id}`)).statusCode).toBe(404)
    expect((await end(`${id}/sessions`)).statusCode).toBe(204)
    expect((await end(`${id}/sessions`)).statusCode).toBe(204)
    expect(await sessionsOf(id)).toEqual([])
    expect(await api.doneTo(id)).toMatchObject([
      {
        action: 'team.end_session',
        target_type: 'user',
        target_name: email,
        changes: { open_sessions: { before: 3, after: 2 } },
      },
      { action: 'team.end_sessions', changes: { open_sessions: { before: 2, after: 0 } } },
    ])
  })

  test('of another member stay open', async () => {
    const [one, other] = [await makeUser(db, { role: 'support' }), await makeUser(db, { role: 'support' })]
    await openSession(other.id)
    const [session] = await sessionsOf(other.id)
    const answer = await end(`${one.id}/sessions/${session?.id}`)
    expect(refusal(answer)).toMatchObject([404, { detail: 'Session not found' }])
    expect(await sessionsOf(other.id)).toHaveLength(1)
  })

  test('of your own account cannot be ended here', async () => {
    const answer = await end(`${actor.admin.id}/sessions`)
    expect(refusal(answer)).toMatchObject([409, { detail: 'End your own sessions in Settings.' }])
    expect((await api.me(actor.token)).statusCode).toBe(200)
  })
})
