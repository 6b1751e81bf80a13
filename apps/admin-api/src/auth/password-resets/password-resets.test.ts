import { foldEmail } from '@switchboard/contract/auth/email-address'
import { forgotPassword } from '@switchboard/contract/password-resets'
import { LINK_REFUSED, PASSWORD_RESET_MINUTES } from '@switchboard/contract/links'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { linkTokenHash } from '@switchboard/mail/links'
import { createMailer } from '@switchboard/mail/mailer'
import { createLogger } from '@switchboard/server/process/log'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const NEW_PASSWORD = 'seven sisters walk at dusk'
const mailer = createMailer(
  { smtpUrl: 'smtp://127.0.0.1:1', from: { address: 'c@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
const passwords = await createPasswords()
const api = await startTestApi({ mailer, passwords, mails: { enqueue: (trx, job) => queue.mails.enqueue(trx, job) } })
const { db, clock } = api
const queue = await openRunQueue({ db, directUrl: api.databaseUrl, log: createLogger('silent'), isWorker: false })
afterAll(() => queue.stop())
beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  await db.deleteFrom('links').execute()
  await db.deleteFrom('sign_in_attempts').execute()
})

const forgot = (email: string, remoteAddress = '127.0.0.1') =>
  api.app.inject({ method: 'POST', url: forgotPassword.url, payload: { email }, remoteAddress })
const reset = (token: string, password = NEW_PASSWORD) =>
  api.call({ method: 'POST', url: '/api/v1/admin/auth/reset-password', body: { token, password } })
const links = () => db.selectFrom('links').selectAll().execute()

/** An account and its link, as after the worker has sent the mail. */
async function sentLink(email: string, fields: { is_active?: boolean } = {}) {
  const user = await makeUser(db, { email, password_hash: await passwords.hash(PASSWORD), ...fields })
  const token = `token of ${email}`
  await db
    .insertInto('links')
    .values({
      kind: 'password_reset',
      email: foldEmail(email),
      folded_email: foldEmail(email),
      user_id: user.id,
      token_hash: linkTokenHash(token),
      created_at: clock.at,
      expires_at: new Date(clock.at.getTime() + PASSWORD_RESET_MINUTES * 60_000),
      mail_state: 'sent',
    })
    .execute()
  return { user, token }
}

describe('a forgotten password', () => {
  test('gets the same answer and the same rows for every address', async () => {
    const tenant = await makeTenant(db)
    await makeUser(db, { email: 'Known@example.com' })
    await makeUser(db, { email: 'inactive@example.com', is_active: false })
    await makeUser(db, { email: 'visitor@example.com', role: 'admin', tenant_id: tenant.id })
    const emails = ['known@example.com', 'unknown@example.com', 'inactive@example.com', 'visitor@example.com']
    for (const email of emails) {
      const answer = await forgot(email)
      expect([answer.statusCode, answer.body]).toEqual([
        202,
        '{"message":"If an active account has this address, a link is on its way."}',
      ])
    }
    const rows = await links()
    expect(rows.map(({ email }) => email).toSorted()).toEqual(emails.toSorted())
    for (const row of rows) expect(row).toMatchObject({ user_id: null, token_hash: null, mail_state: 'queued' })
    const audited = db
      .selectFrom('audit_entries')
      .orderBy('seq')
      .selectAll()
      .where('action', '=', 'auth.forgotten_password')
    expect((await audited.execute()).map(({ actor_email, outcome }) => [actor_email, outcome])).toEqual(
      emails.map((email) => [email, 'done']),
    )
  })

  test('gets three links an hour for each address, known or unknown, from all networks, counted separately from sign-ins', async () => {
    const { token } = await api.signIn('limited@example.com')
    for (const email of ['limited@example.com', 'nobody@example.com']) {
      for (let n = 0; n < 3; n += 1) expect((await forgot(email.toUpperCase(), `198.51.100.${n}`)).statusCode).toBe(202)
      const refused = await forgot(email)
      expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
        429,
        '3600',
        {
          detail:
            'Too many links were requested for this address. Use the link in an earlier mail. Try again in 60 minutes.',
        },
      ])
    }
    expect((await api.login('limited@example.com')).statusCode).toBe(200)
    expect((await api.me(token)).statusCode).toBe(200)
    expect((await forgot('another@example.com')).statusCode).toBe(202)
    expect((await links()).filter(({ email }) => email === 'limited@example.com')).toHaveLength(3)
    api.minutesLater(60)
    expect((await forgot('limited@example.com')).statusCode).toBe(202)
  })

  test('is not blocked for longer by refused requests', async () => {
    for (let n = 0; n < 3; n += 1) await forgot('pestered@example.com')
    api.minutesLater(59)
    expect((await forgot('pestered@example.com', '198.51.100.7')).statusCode).toBe(429)
    api.minutesLater(1)
    expect((await forgot('pestered@example.com')).statusCode).toBe(202)
  })

  test('is refused for every address with a sentence if the server sends no mail', async () => {
    api.deps.mailer = null
    const answers = [await forgot('known@example.com'), await forgot('unknown@example.com')]
    api.deps.mailer = mailer
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        409,
        { detail: 'This server sends no mail: SMTP_URL is not set.' },
      ])
    expect(await links()).toEqual([])
  })
})

describe('a link', () => {
  test('sets a new password once, ends all sessions and forgets failed sign-ins', async () => {
    const { user, token } = await sentLink('Grace@example.com')
    const session = (await api.login('grace@example.com')).json().access_token
    for (let n = 0; n < 10; n += 1) await api.login('grace@example.com', 'wrong')
    expect((await api.login('grace@example.com')).statusCode).toBe(429)

    const answer = await reset(token)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect((await api.me(session)).statusCode).toBe(401)
    expect((await api.login('grace@example.com', NEW_PASSWORD)).statusCode).toBe(200)
    expect((await api.login('grace@example.com')).statusCode).toBe(401)
    expect(await api.doneTo(user.id)).toMatchObject([
      { action: 'auth.reset_password', actor_id: user.id, changes: { password: { before: '•••', after: '•••' } } },
    ])
    expect((await reset(token)).json()).toMatchObject({ detail: LINK_REFUSED })
    expect(JSON.stringify(await db.selectFrom('audit_entries').selectAll().execute())).not.toContain(token)
    expect(api.logLines.join('')).not.toContain(token)
  })

  test('is used once, although 50 calls use the link at the same time', async () => {
    const { user, token } = await sentLink('parallel@example.com')
    const answers = await Promise.all(Array.from({ length: 50 }, () => reset(token)))
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
    expect(await api.doneTo(user.id)).toHaveLength(1)
  })

  test('ends after its time', async () => {
    const { token } = await sentLink('late@example.com')
    api.minutesLater(PASSWORD_RESET_MINUTES)
    const answer = await reset(token)
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: LINK_REFUSED }])
  })

  test('stays valid when another link is requested, and ends when one of them is used', async () => {
    const { token } = await sentLink('again@example.com')
    await forgot('Again@example.com')
    expect(await links()).toHaveLength(2)
    expect((await reset(token)).statusCode).toBe(204)
    expect(await links()).toEqual([])
  })

  test.for([
    ['is deactivated', { is_active: false }],
    ['has another address', { email: 'moved@example.com', folded_email: 'moved@example.com' }],
    ['may not use a password', { password_hash: 'none', may_use_password: false }],
  ] as const)('ends when the account %s', async ([what, change]) => {
    const { user, token } = await sentLink(`${what.replaceAll(' ', '-')}@example.com`)
    await db.updateTable('users').set(change).where('id', '=', user.id).execute()
    expect((await reset(token)).json()).toMatchObject({ detail: LINK_REFUSED })
    expect(await api.doneTo(user.id)).toEqual([])
  })

  test('stays valid after a password that is easy to guess', async () => {
    const { token } = await sentLink('choosy@example.com')
    for (const password of ['eleven char', 'password12345', 'choosy choosy choosy'])
      expect((await reset(token, password)).statusCode).toBe(422)
    expect((await reset(token)).statusCode).toBe(204)
  })
})
