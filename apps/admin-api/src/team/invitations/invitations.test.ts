import { LINK_REFUSED } from '@switchboard/contract/links'
import { createMailer } from '@switchboard/mail/mailer'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const PASSWORD = 'seven sisters walk at dusk'
const URL = '/api/v1/admin/invitations'

/** Without mail: each link is in the answer. */
const api = await startTestApi()
const { db, clock } = api
const ada = await api.signIn('ada@example.com')
beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  await db.deleteFrom('links').execute()
})

const invite = (email: string, role = 'support') => ada.call({ method: 'POST', url: URL, body: { email, role } })
const tokenIn = (answer: { json: () => { link: string } }) => answer.json().link.split('#')[1] ?? ''
const invitedToken = async (email: string, role?: string) => tokenIn(await invite(email, role))
const resend = (id: string) => ada.call({ method: 'POST', url: `${URL}/${id}/resend` })
const withdraw = (id: string) => ada.call({ method: 'DELETE', url: `${URL}/${id}` })
const list = async () => (await ada.call({ method: 'GET', url: URL })).json()
const read = (token: string) =>
  api.call({ method: 'POST', url: '/api/v1/admin/auth/invitations/read', body: { token } })
const accept = (token: string, password = PASSWORD) =>
  api.call({ method: 'POST', url: '/api/v1/admin/auth/invitations/accept', body: { token, password } })
const usersWith = (email: string) => db.selectFrom('users').selectAll().where('email', '=', email).execute()
const lastAudit = () =>
  db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()

/** Every unusable link has the same answer. */
const expectRefused = async (token: string) => {
  for (const answer of [await read(token), await accept(token)])
    expect([answer.statusCode, answer.body]).toMatchObject([
      404,
      JSON.stringify({ detail: LINK_REFUSED, code: 'not_found' }),
    ])
}

describe('without mail', () => {
  test('the answer has the link once, with its token in the fragment, and is never stored', async () => {
    const answer = await ada.call({
      method: 'POST',
      url: URL,
      body: { email: ' Grace@example.com ', role: 'auditor' },
      headers: { host: 'console.example.com:8443' },
    })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([201, 'no-store'])
    expect(answer.json()).toMatchObject({
      email: 'Grace@example.com',
      role: 'auditor',
      invited_by: 'ada@example.com',
      expires_at: '2026-11-23T12:00:00.000Z',
      mail_state: null,
      mail_problem: null,
      link: expect.stringMatching(/^http:\/\/console\.example\.com:8443\/invitation#[\w-]{43}$/),
    })
    const { link, ...invitation } = answer.json()
    expect(await list()).toEqual([invitation])
    expect(link).not.toBeNull()
  })

  test('the link has the public address of the settings', async () => {
    api.deps.publicUrl = 'https://public.example.com'
    const { link } = (await invite('public@example.com')).json()
    api.deps.publicUrl = undefined
    expect(link).toMatch(/^https:\/\/public\.example\.com\/invitation#/)
  })
})

test('the invited person chooses a password, has an account and signs in', async () => {
  const token = await invitedToken('grace@example.com', 'auditor')
  expect((await read(token)).json()).toEqual({ email: 'grace@example.com', role: 'auditor' })
  const answer = await accept(token)
  expect([answer.statusCode, answer.json()]).toEqual([201, { email: 'grace@example.com', role: 'auditor' }])
  expect((await api.login('grace@example.com', PASSWORD)).json().admin).toMatchObject({ role: 'auditor' })
  expect(await list()).toEqual([])
  await expectRefused(token)
})

test('every step is audited, without a token or a password', async () => {
  const { id } = (await invite('audited@example.com')).json()
  expect(await lastAudit()).toMatchObject({
    action: 'invitations.create',
    actor_email: 'ada@example.com',
    target_type: 'user',
    target_id: null,
    target_name: 'audited@example.com',
    changes: { email: { before: null, after: 'audited@example.com' }, role: { before: null, after: 'support' } },
  })
  const again = await resend(id)
  expect(await lastAudit()).toMatchObject({ action: 'invitations.resend', target_name: 'audited@example.com' })
  await accept(tokenIn(again))
  const [user] = await usersWith('audited@example.com')
  expect(await lastAudit()).toMatchObject({
    action: 'invitations.accept',
    actor_id: user?.id,
    actor_email: 'audited@example.com',
    target_id: user?.id,
  })
  const other = (await invite('other@example.com')).json()
  await withdraw(other.id)
  expect(await lastAudit()).toMatchObject({ action: 'invitations.withdraw', target_name: 'other@example.com' })
  const written = JSON.stringify(await db.selectFrom('audit_entries').selectAll().execute()) + api.logLines.join('')
  for (const secret of [tokenIn(again), other.link.split('#')[1], PASSWORD]) expect(written).not.toContain(secret)
})

test('50 acceptances at once make one account', async () => {
  const token = await invitedToken('once@example.com')
  const answers = await Promise.all(Array.from({ length: 50 }, () => accept(token)))
  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
  const refused = answers.filter(({ statusCode }) => statusCode !== 201)
  for (const answer of refused) expect([404, 503]).toContain(answer.statusCode)
  expect(await usersWith('once@example.com')).toHaveLength(1)
  await expectRefused(token)
})

test('a refused password leaves the link valid', async () => {
  const token = await invitedToken('choosy@example.com')
  for (const password of ['eleven char', 'password12345', 'choosy choosy choosy']) {
    const answer = await accept(token, password)
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', 'password']])
  }
  expect((await accept(token)).statusCode).toBe(201)
})

describe('a link ends', () => {
  test('after 72 hours', async () => {
    const token = await invitedToken('slow@example.com')
    clock.at = new Date('2026-11-23T11:59:59.000Z')
    expect((await read(token)).statusCode).toBe(200)
    clock.at = new Date('2026-11-23T12:00:00.000Z')
    await expectRefused(token)
    expect(await usersWith('slow@example.com')).toEqual([])
  })

  test('when the invitation is withdrawn', async () => {
    const answer = await invite('gone@example.com')
    const { id } = answer.json()
    expect((await withdraw(id)).statusCode).toBe(204)
    await expectRefused(tokenIn(answer))
    expect((await withdraw(id)).json()).toMatchObject({ detail: 'Invitation not found' })
    expect((await resend(id)).json()).toMatchObject({ detail: 'Invitation not found' })
  })

  test('when the same person is invited again, in any case, or the invitation is sent again', async () => {
    const first = await invitedToken('again@example.com', 'support')
    const second = await invite('Again@Example.com', 'auditor')
    await expectRefused(first)
    const third = await resend(second.json().id)
    await expectRefused(tokenIn(second))
    expect(await list()).toHaveLength(1)
    expect((await accept(tokenIn(third))).json()).toEqual({ email: 'Again@Example.com', role: 'auditor' })
  })
})

test.each(['', 'x', 'x'.repeat(43), '../../x', "' or 1=1 --"])(
  'the token %o is refused as a used one',
  async (token) => {
    await expectRefused(token)
  },
)

test('a token of a password reset accepts no invitation', async () => {
  const token = await invitedToken('kind@example.com')
  await db
    .updateTable('links')
    .set({ kind: 'password_reset', role: null, invited_by: null, invited_by_id: null })
    .execute()
  await expectRefused(token)
})

test('the address of a user is refused, also one that was taken after the invitation', async () => {
  const tenant = await makeTenant(db)
  await makeUser(db, { email: 'Visitor@example.com', role: 'user', tenant_id: tenant.id })
  const taken = 'This email address is already in use.'
  const answer = await invite('visitor@example.com')
  expect([answer.statusCode, answer.json().detail]).toEqual([409, taken])

  const invited = await invite('meanwhile@example.com')
  await makeUser(db, { email: 'meanwhile@example.com' })
  const accepted = await accept(tokenIn(invited))
  expect([accepted.statusCode, accepted.json().detail]).toEqual([409, taken])
  expect((await resend(invited.json().id)).json().detail).toBe(taken)
})

test.for([
  ['demoted', { role: 'auditor' }],
  ['deactivated', { is_active: false }],
] as const)('an invitation is refused once its inviter is %s', async ([, change]) => {
  const grace = await api.signIn()
  const answer = await grace.call({
    method: 'POST',
    url: URL,
    body: { email: 'late@example.com', role: 'super_admin' },
  })
  const token = tokenIn(answer)
  expect((await read(token)).statusCode).toBe(200)
  // Directly in the database, because the API would delete the invitation.
  await db.updateTable('users').set(change).where('id', '=', grace.admin.id).execute()
  await expectRefused(token)
  expect(await usersWith('late@example.com')).toEqual([])
})

test('an invitation belongs to the admin who last sent it', async () => {
  const grace = await api.signIn()
  const { id } = (
    await grace.call({ method: 'POST', url: URL, body: { email: 'kept@example.com', role: 'auditor' } })
  ).json()
  const token = tokenIn(await resend(id))
  await ada.call({ method: 'DELETE', url: `/api/v1/admin/team/${grace.admin.id}` })
  expect((await accept(token)).statusCode).toBe(201)
})

test('there can be 200 pending invitations', async () => {
  const times = { created_at: clock.at, expires_at: clock.at }
  const inviter = { invited_by: 'ada@example.com', invited_by_id: ada.admin.id }
  const about = { kind: 'invitation' as const, role: 'support' as const, ...inviter, ...times }
  const rows = Array.from({ length: 199 }, (_, n) => {
    const email = `n${n}@example.com`
    return { ...about, email, folded_email: email }
  })
  await db.insertInto('links').values(rows).execute()
  expect((await invite('last@example.com')).statusCode).toBe(201)
  expect((await invite('last@example.com')).statusCode).toBe(201)
  expect((await invite('more@example.com')).statusCode).toBe(409)
  expect(await list()).toHaveLength(200)
})

test('the password of an invited person is judged like a saved one, and the link stays valid', async () => {
  const token = await invitedToken('grace.hopper@example.com')
  const check = async (password: string, kind = 'invitation', typed = token) => {
    const body = { kind, token: typed, password }
    const answer = await api.call({ method: 'POST', url: '/api/v1/admin/auth/links/check-password', body })
    return [answer.statusCode, answer.json()]
  }
  expect(await check('password12345')).toEqual([200, { strength: 'weak', problem: expect.stringContaining('common') }])
  expect(await check('grace.hopper likes tea')).toEqual([
    200,
    { strength: 'weak', problem: expect.stringContaining('Leave “grace” out') },
  ])
  expect(await check(PASSWORD)).toEqual([200, { strength: 'strong', problem: null }])
  expect(await check(PASSWORD, 'password_reset')).toMatchObject([404, { detail: LINK_REFUSED }])
  expect(await check(PASSWORD, 'invitation', 'unknown')).toMatchObject([404, { detail: LINK_REFUSED }])
  expect((await accept(token)).statusCode).toBe(201)
})

test('only the three roles of the console can be given, to an email address', async () => {
  expect((await invite('visitor@example.com', 'admin')).statusCode).toBe(422)
  expect((await invite('not an address', 'support')).statusCode).toBe(422)
})

test('with mail, the worker gets the id of the link, and the answer has no link', async () => {
  const jobs: unknown[] = []
  const settings = {
    smtpUrl: 'smtp://127.0.0.1:1',
    from: { address: 'console@example.com' },
    consoleUrl: 'https://console.example.com',
  }
  const withMail = await startTestApi({
    mailer: createMailer(settings, 'Switchboard'),
    mails: { enqueue: async (_trx, job) => void jobs.push(job) },
  })
  const { call } = await withMail.signIn()
  const answer = await call({ method: 'POST', url: URL, body: { email: 'grace@example.com', role: 'support' } })
  expect([answer.statusCode, answer.json()]).toMatchObject([201, { mail_state: 'queued', link: null }])
  expect(jobs).toEqual([{ link_id: answer.json().id }])
  expect(await withMail.db.selectFrom('links').select('token_hash').execute()).toEqual([{ token_hash: null }])
  const tried = await call({ method: 'POST', url: '/api/v1/admin/mail/test' })
  expect([tried.statusCode, tried.json()]).toMatchObject([409, { detail: 'The mail server cannot be reached.' }])
})
