import { createMailer } from '@switchboard/mail/mailer'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createLogger } from '@switchboard/server/process/log'
import { makeUser } from '@switchboard/testing/factories'
import { linkIn, startMailbox } from '@switchboard/testing/mailbox'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { WORKER_DEFAULTS } from '#apps/worker/src/testing/worker-defaults.ts'
import { createWorker } from '#apps/worker/src/worker.ts'

// admin-api, a worker and a mail server, as in production.

const PASSWORD = 'seven sisters walk at dusk'
const INVITATIONS = '/api/v1/admin/invitations'

const mailbox = await startMailbox()
const mailer = createMailer(
  { smtpUrl: mailbox.url, from: { address: 'console@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
const logLines: string[] = []
const log = createLogger('trace', { write: (line) => void logLines.push(line) })
const api = await startTestApi({
  log,
  mailer,
  now: () => new Date(),
  mails: { enqueue: (trx, job) => worker.queue.mails.enqueue(trx, job) },
})
const { db, databaseUrl } = api
const now = () => new Date()
const places = createPlacesClient({ url: 'http://127.0.0.1:1', apiKey: 'any', now })
const worker = await createWorker({
  ...WORKER_DEFAULTS,
  db,
  directUrl: databaseUrl,
  log,
  places,
  mailer,
  firstRetryMs: 500,
})
// Mails about alerts would come between.
await db
  .updateTable('alert_reader')
  .set({ evaluated_at: sql<Date>`now() + interval '1 day'` })
  .execute()
await worker.start()
const ada = await api.signIn('ada@example.com')
afterAll(async () => {
  await worker.stop()
  await places.close()
  await mailbox.close()
})
beforeEach(() => {
  mailbox.mails.length = 0
  mailbox.behave('take')
})

const WAIT = { timeout: 60_000, interval: 50 }
const invite = async (email: string) =>
  (await ada.call({ method: 'POST', url: INVITATIONS, body: { email, role: 'auditor' } })).json()
const invitationTo = async (email: string) => {
  const invitations: { email: string }[] = (await ada.call({ method: 'GET', url: INVITATIONS })).json()
  return invitations.find((invitation) => invitation.email === email)
}
/** The token in the next mail. */
const receivedToken = async () => {
  await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), WAIT)
  return linkIn(mailbox.mails[0] ?? {}).split('#')[1] ?? ''
}
const post = (path: string, body: object) => api.call({ method: 'POST', url: `/api/v1/admin/auth/${path}`, body })

test('an invitation arrives by mail and is accepted; no log line has its token', async () => {
  await invite('grace@example.com')
  const token = await receivedToken()
  await vi.waitFor(
    async () => expect(await invitationTo('grace@example.com')).toMatchObject({ mail_state: 'sent' }),
    WAIT,
  )
  expect((await post('invitations/accept', { token, password: PASSWORD })).statusCode).toBe(201)
  expect((await api.login('grace@example.com', PASSWORD)).statusCode).toBe(200)
  expect(logLines.length).toBeGreaterThan(3)
  expect(logLines.join('')).not.toContain(token)
})

test('a forgotten password is replaced by the link of a mail; no log line has its token', async () => {
  await makeUser(db, { email: 'forgetful@example.com', role: 'support' })
  await post('forgotten-password', { email: 'unknown@example.com' })
  await post('forgotten-password', { email: 'Forgetful@example.com' })
  const token = await receivedToken()
  expect((await post('reset-password', { token, password: PASSWORD })).statusCode).toBe(204)
  expect((await api.login('forgetful@example.com', PASSWORD)).statusCode).toBe(200)
  // The account gets a notice about its new password.
  await vi.waitFor(() => expect(mailbox.mails).toHaveLength(2), WAIT)
  expect(logLines.join('')).not.toContain(token)
})

test('while the mail server refuses, the invitation shows the reason; later the mail is sent', async () => {
  mailbox.behave(421)
  await invite('busy@example.com')
  await vi.waitFor(
    async () =>
      expect(await invitationTo('busy@example.com')).toMatchObject({
        mail_state: 'queued',
        mail_problem: 'The mail server did not take the mail. Its answer: “421 Refused by the test”',
      }),
    WAIT,
  )
  mailbox.behave('take')
  await vi.waitFor(
    async () =>
      expect(await invitationTo('busy@example.com')).toMatchObject({ mail_state: 'sent', mail_problem: null }),
    WAIT,
  )
  expect((await post('invitations/read', { token: await receivedToken() })).statusCode).toBe(200)
})

test('a withdrawn invitation is not sent', async () => {
  mailbox.behave(421)
  const { id } = await invite('withdrawn@example.com')
  await vi.waitFor(
    async () => expect(await invitationTo('withdrawn@example.com')).toMatchObject({ mail_problem: expect.any(String) }),
    WAIT,
  )
  await ada.call({ method: 'DELETE', url: `${INVITATIONS}/${id}` })
  // An attempt may have begun before.
  const jobs = async () =>
    (await sql`select from pgboss.job where data ->> 'link_id' = ${id} and state < 'completed'`.execute(db)).rows.length
  await expect.poll(jobs).toBe(0)
  mailbox.behave('take')
  await invite('next@example.com')
  await receivedToken()
  expect(mailbox.mails).toMatchObject([{ to: { value: [{ address: 'next@example.com' }] } }])
})

test('the test mail arrives, or the answer has the reason', async () => {
  const send = () => ada.call({ method: 'POST', url: '/api/v1/admin/mail/test' })
  const sent = await send()
  expect([sent.statusCode, sent.json()]).toEqual([200, { email: 'ada@example.com' }])
  expect(mailbox.mails).toMatchObject([
    { subject: 'Test mail from Switchboard', to: { value: [{ address: 'ada@example.com' }] } },
  ])
  mailbox.behave(550)
  const refused = await send()
  expect([refused.statusCode, refused.json().detail]).toEqual([
    409,
    'The mail server refused the address. Its answer: “550 Refused by the test”',
  ])
  expect(await api.refusedTo(ada.admin.id)).toMatchObject([{ action: 'mail.test' }])
})
