import { LINK_REFUSED } from '@switchboard/contract/links'
import { MAIL_IS_OFF } from '@switchboard/contract/mail'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { linkTokenHash } from '@switchboard/mail/links'
import { createMailer } from '@switchboard/mail/mailer'
import { createLogger } from '@switchboard/server/process/log'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const mailer = createMailer(
  { smtpUrl: 'smtp://127.0.0.1:1', from: { address: 'c@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
const api = await startTestApi({ mailer, mails: { enqueue: (trx, job) => queue.mails.enqueue(trx, job) } })
const { db } = api
const queue = await openRunQueue({ db, directUrl: api.databaseUrl, log: createLogger('silent'), isWorker: false })
afterAll(() => queue.stop())

const AUTH = '/api/v1/admin/auth'
type Caller = Awaited<ReturnType<typeof api.signIn>>

const ask = ({ call }: Caller, email: string) =>
  call({ method: 'PUT', url: `${AUTH}/profile`, body: { email, current_password: PASSWORD } })
const pendingOf = async ({ call }: Caller) =>
  (await call({ method: 'GET', url: `${AUTH}/email-changes` })).json().email_change
const confirm = (token: string) => api.call({ method: 'POST', url: `${AUTH}/email-changes/confirm`, body: { token } })
const told = async (answer: ReturnType<typeof confirm>) => [(await answer).statusCode, (await answer).json()]
const emailOf = async (id: string) =>
  (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
const REFUSED = [404, { detail: LINK_REFUSED }]

/** Gives the queued link of an account a token, like the worker does when it sends the mail. */
async function sendLink(userId: string, token: string): Promise<void> {
  await db
    .updateTable('links')
    .set({ token_hash: linkTokenHash(token), mail_state: 'sent' })
    .where('kind', '=', 'email_change')
    .where('user_id', '=', userId)
    .execute()
}

/** The notices to an account, oldest first, each with a job of the queue. */
async function notices(account: string) {
  const { rows } = await sql<{ mail_to: string; changes: string[] }>`
    select mail_to, changes from account_notices
    join pgboss.job on data ->> 'account_notice_id' = account_notices.id::text
    where account = ${account} order by changed_at, mail_to`.execute(db)
  return rows
}

describe('a new address for your own account', () => {
  test('waits for its link, sends a notice to the old address, and keeps the session', async () => {
    const caller = await api.signIn()
    const answer = await ask(caller, 'waiting@example.com')
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { email: caller.admin.email, pending_email: 'waiting@example.com' },
    ])
    expect(await emailOf(caller.admin.id)).toBe(caller.admin.email)
    expect(await pendingOf(caller)).toMatchObject({
      email: 'waiting@example.com',
      requested_by: caller.admin.email,
      mail_state: 'queued',
    })
    expect(await notices(caller.admin.email)).toMatchObject([
      {
        mail_to: caller.admin.email,
        changes: [expect.stringContaining('waiting@example.com was requested'), expect.anything()],
      },
    ])
    expect((await api.doneTo(caller.admin.id)).at(-1)).toMatchObject({
      action: 'auth.profile',
      changes: { pending_email: { before: null, after: 'waiting@example.com' } },
    })
    expect((await api.login('waiting@example.com')).statusCode).toBe(401)
  })

  test('is used once its link is confirmed: sessions and reset links end, and both addresses get a notice', async () => {
    const caller = await api.signIn()
    const { id, email } = caller.admin
    await ask(caller, 'used@example.com')
    await sendLink(id, 'used')
    await api.call({ method: 'POST', url: `${AUTH}/forgotten-password`, body: { email } })
    const read = () => api.call({ method: 'POST', url: `${AUTH}/email-changes/read`, body: { token: 'used' } })
    expect((await read()).json()).toEqual({ account: email, email: 'used@example.com' })
    expect(await emailOf(id)).toBe(email)

    expect(await told(confirm('used'))).toEqual([200, { email: 'used@example.com' }])
    expect((await api.me(caller.token)).statusCode).toBe(401)
    expect((await api.login('used@example.com')).statusCode).toBe(200)
    expect(
      await db
        .selectFrom('links')
        .select('kind')
        .where(sql<boolean>`lower(email) = ${email}`)
        .execute(),
    ).toEqual([])
    expect((await notices(email)).slice(1)).toEqual(
      [email, 'used@example.com']
        .toSorted()
        .map((mail_to) => ({ mail_to, changes: [`The email address was changed from ${email} to used@example.com.`] })),
    )
    expect((await api.doneTo(id)).at(-1)).toMatchObject({
      action: 'email_changes.confirm',
      actor_id: id,
      changes: { email: { before: email, after: 'used@example.com' } },
    })
    expect(await told(confirm('used'))).toMatchObject(REFUSED)
    expect((await read()).statusCode).toBe(404)
  })

  test('is confirmed exactly once by concurrent calls', async () => {
    const caller = await api.signIn()
    await ask(caller, 'once@example.com')
    await sendLink(caller.admin.id, 'once')
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm('once')))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([
      200, 404, 404, 404, 404,
    ])
  })

  test('replaces an earlier one, whose link stops working', async () => {
    const caller = await api.signIn()
    await ask(caller, 'first@example.com')
    await sendLink(caller.admin.id, 'first')
    await ask(caller, 'second@example.com')
    expect(await told(confirm('first'))).toMatchObject(REFUSED)
    expect(await pendingOf(caller)).toMatchObject({ email: 'second@example.com' })
  })

  test('expires after 24 hours', async () => {
    const caller = await api.signIn()
    await ask(caller, 'late@example.com')
    await sendLink(caller.admin.id, 'late')
    api.minutesLater(24 * 60)
    expect(await told(confirm('late'))).toMatchObject(REFUSED)
  })

  test('is sent again with a new link, and canceled', async () => {
    const caller = await api.signIn()
    const url = `${AUTH}/email-changes/${caller.admin.id}`
    expect((await caller.call({ method: 'DELETE', url })).statusCode).toBe(404)
    await ask(caller, 'again@example.com')
    await sendLink(caller.admin.id, 'again')
    const again = await caller.call({ method: 'POST', url: `${url}/resend` })
    expect([again.statusCode, again.json()]).toMatchObject([200, { email: 'again@example.com', mail_state: 'queued' }])
    expect(await told(confirm('again'))).toMatchObject(REFUSED)
    await sendLink(caller.admin.id, 'newer')
    expect((await caller.call({ method: 'DELETE', url })).statusCode).toBe(204)
    expect(await told(confirm('newer'))).toMatchObject(REFUSED)
    expect(await pendingOf(caller)).toBeNull()
  })

  test('that another user has gets 409, at the request and at the confirmation', async () => {
    const caller = await api.signIn()
    const taken = await makeUser(db)
    expect((await ask(caller, taken.email.toUpperCase())).statusCode).toBe(409)
    await ask(caller, 'meanwhile@example.com')
    await sendLink(caller.admin.id, 'meanwhile')
    await makeUser(db, { email: 'Meanwhile@example.com' })
    expect(await told(confirm('meanwhile'))).toMatchObject([409, { detail: 'This email address is already in use.' }])
  })

  test('may be pending for two accounts, and the first one to confirm gets it', async () => {
    const [one, other] = [await api.signIn(), await api.signIn()]
    await ask(one, 'both@example.com')
    await ask(other, 'both@example.com')
    await sendLink(one.admin.id, 'one')
    await sendLink(other.admin.id, 'other')
    expect((await confirm('one')).statusCode).toBe(200)
    expect((await confirm('other')).statusCode).toBe(409)
  })

  test('ends with a new password', async () => {
    const caller = await api.signIn()
    await ask(caller, 'before@example.com')
    await sendLink(caller.admin.id, 'before')
    const body = { current_password: PASSWORD, new_password: 'seven sisters walk at dusk' }
    expect((await caller.call({ method: 'PUT', url: `${AUTH}/profile`, body })).statusCode).toBe(200)
    expect(await told(confirm('before'))).toMatchObject(REFUSED)
  })

  test('is used at once without mail, and ends the other sessions', async () => {
    api.deps.mailer = null
    onTestFinished(() => void (api.deps.mailer = mailer))
    const caller = await api.signIn()
    const other = (await api.login(caller.admin.email)).json().access_token
    const answer = (await ask(caller, 'at.once@example.com')).json()
    expect(answer).toMatchObject({ email: 'at.once@example.com' })
    expect(answer).not.toHaveProperty('pending_email')
    expect((await api.me(other)).statusCode).toBe(401)
    expect((await api.me(caller.token)).json()).toMatchObject({ email: 'at.once@example.com' })
    expect(await notices(caller.admin.email)).toEqual([])
  })

  test('that differs only in capitals is used at once', async () => {
    const caller = await api.signIn()
    const email = caller.admin.email.toUpperCase()
    expect((await ask(caller, email)).json()).toMatchObject({ email })
  })

  test('cannot be sent again without mail', async () => {
    const caller = await api.signIn()
    await ask(caller, 'no.mail@example.com')
    api.deps.mailer = null
    onTestFinished(() => void (api.deps.mailer = mailer))
    const again = await caller.call({ method: 'POST', url: `${AUTH}/email-changes/${caller.admin.id}/resend` })
    expect([again.statusCode, again.json()]).toMatchObject([409, { detail: MAIL_IS_OFF }])
  })
})

describe('a new address of another account of the console', () => {
  const change = ({ call }: Caller, id: string, body: object) =>
    call({ method: 'PATCH', url: `/api/v1/admin/tenant-admins/${id}`, body })

  test('waits for its link too, is shown in the team, and can be canceled there', async () => {
    const caller = await api.signIn()
    const member = await makeUser(db, { role: 'support' })
    const answer = await change(caller, member.id, { email: 'member@example.com', is_active: true })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { email: member.email, pending_email: 'member@example.com' },
    ])
    const team = (await caller.call({ method: 'GET', url: '/api/v1/admin/team' })).json()
    expect(team.find(({ id }: { id: string }) => id === member.id).email_change).toMatchObject({
      email: 'member@example.com',
      requested_by: caller.admin.email,
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const url = `${AUTH}/email-changes/${member.id}`
    const support = await api.signIn(undefined, 'support')
    expect((await support.call({ method: 'DELETE', url })).statusCode).toBe(403)
    expect((await caller.call({ method: 'DELETE', url })).statusCode).toBe(204)
    expect((await notices(member.email)).at(-1)?.changes).toEqual([
      'The change of the email address to member@example.com was canceled.',
    ])
  })

  test('ends with the deactivation of the account', async () => {
    const caller = await api.signIn()
    const member = await makeUser(db, { role: 'support' })
    await change(caller, member.id, { email: 'inactive@example.com' })
    await sendLink(member.id, 'inactive')
    await change(caller, member.id, { is_active: false })
    expect(await told(confirm('inactive'))).toMatchObject(REFUSED)
    const both = await change(caller, member.id, { is_active: true, email: 'inactive@example.com' })
    expect(both.json()).toMatchObject({ pending_email: 'inactive@example.com' })
    await change(caller, member.id, { is_active: false })
    for (const body of [{ email: 'other@example.com' }, { is_active: false, email: 'other@example.com' }]) {
      const refused = await change(caller, member.id, body)
      expect([refused.statusCode, refused.json()]).toMatchObject([
        409,
        { detail: 'Activate the account before you change its email address.' },
      ])
    }
  })

  test('ends when the super admin who asked is demoted, also before the demotion is seen', async () => {
    const [thief, boss] = [await api.signIn(), await api.signIn()]
    const member = await makeUser(db, { role: 'support' })
    const setRole = (role: string) =>
      boss.call({ method: 'PATCH', url: `/api/v1/admin/team/${thief.admin.id}`, body: { role } })
    await change(thief, member.id, { email: 'mine@example.com' })
    await sendLink(member.id, 'mine')
    await db.updateTable('users').set({ role: 'auditor' }).where('id', '=', thief.admin.id).execute()
    expect(await told(confirm('mine'))).toMatchObject(REFUSED)
    await db.updateTable('users').set({ role: 'super_admin' }).where('id', '=', thief.admin.id).execute()
    expect((await setRole('auditor')).statusCode).toBe(200)
    await setRole('super_admin')
    expect(await told(confirm('mine'))).toMatchObject(REFUSED)
  })

  test('ends when the person who asked gets a new password or leaves', async () => {
    const [thief, boss] = [await api.signIn(), await api.signIn()]
    const member = await makeUser(db, { role: 'support' })
    await change(thief, member.id, { email: 'evil@example.com' })
    await sendLink(member.id, 'evil')
    const left = await boss.call({ method: 'DELETE', url: `/api/v1/admin/team/${thief.admin.id}` })
    expect(left.statusCode).toBe(204)
    expect(await told(confirm('evil'))).toMatchObject(REFUSED)
  })

  test('of a user of a tenant is used at once, without a notice', async () => {
    const caller = await api.signIn()
    const tenant = await makeTenant(db)
    const user = await makeUser(db, { role: 'user', tenant_id: tenant.id })
    expect((await change(caller, user.id, { email: 'portal@example.com' })).json()).toMatchObject({
      email: 'portal@example.com',
    })
    expect(await notices(user.email)).toEqual([])
    expect(await notices('portal@example.com')).toEqual([])
  })
})
