import { createMailer } from '@switchboard/mail/mailer'
import { makeUser } from '@switchboard/testing/factories'
import { startMailbox } from '@switchboard/testing/mailbox'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { sendNewSignIn } from './send-new-sign-in.job.ts'

const mailbox = await startMailbox()
const mailer = createMailer(
  { smtpUrl: mailbox.url, from: { address: 'console@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
const { db, worker, logLines } = await startTestWorker({ mailer })
afterAll(() => mailbox.close())
beforeEach(() => {
  mailbox.mails.length = 0
  mailbox.behave('take')
})

/** Queues a mail as admin-api does. */
const queueSignIn = async (mail_to: string, { mail_attempts = 0, isEnqueued = true } = {}) => {
  const { id: user_id } = await makeUser(db, { email: mail_to, role: 'auditor' })
  const at = new Date('2026-11-20T09:05:00.000Z')
  return await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('known_devices')
      .values({
        user_id,
        network: '203.0.113.4',
        device: 'Firefox on Linux',
        address: '203.0.113.4',
        first_at: at,
        last_at: at,
        is_noticed: false,
        mail_to,
        mail_state: 'queued',
        mail_attempts,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (isEnqueued) await worker.queue.mails.enqueue(trx, { new_sign_in_id: id })
    return { id, user_id }
  })
}
const rowOf = (id: string) => db.selectFrom('known_devices').selectAll().where('id', '=', id).executeTakeFirst()
const untilRow = (id: string, fields: object) =>
  vi.waitFor(async () => expect(await rowOf(id)).toMatchObject(fields), { timeout: 60_000, interval: 50 })

test('the mail names time with zone, device, address and page, to the address of the account at the sign-in', async () => {
  const { id, user_id } = await queueSignIn('ada@example.com', { isEnqueued: false })
  await db
    .updateTable('users')
    .set({ email: 'intruder@example.com', folded_email: 'intruder@example.com' })
    .where('id', '=', user_id)
    .execute()
  await sendNewSignIn(worker.deps, { new_sign_in_id: id })
  expect(await rowOf(id)).toMatchObject({ mail_state: 'sent', mail_attempts: 1, mail_problem: null })
  expect(mailbox.mails).toMatchObject([
    { subject: 'New sign-in to Switchboard', to: { value: [{ address: 'ada@example.com' }] } },
  ])
  const [mail] = mailbox.mails
  for (const text of [mail?.text, mail?.html])
    for (const fact of [
      'Your account ada@example.com of the Switchboard console',
      'Time: 20 November 2026 at 09:05 UTC',
      'Device: Firefox on Linux',
      'Network address: 203.0.113.4',
      'https://console.example.com/settings/security',
    ])
      expect(text).toContain(fact)
})

test('a sent mail is not sent twice, although its job runs again', async () => {
  const { id } = await queueSignIn('twice@example.com')
  await untilRow(id, { mail_state: 'sent' })
  await sendNewSignIn(worker.deps, { new_sign_in_id: id })
  await sendNewSignIn(worker.deps, { new_sign_in_id: crypto.randomUUID() })
  expect(mailbox.mails).toHaveLength(1)
})

test('a failed attempt has its reason and is repeated', async () => {
  mailbox.behave(421)
  const { id } = await queueSignIn('busy@example.com', { isEnqueued: false })
  await sendNewSignIn({ ...worker.deps, firstRetryMs: 600_000 }, { new_sign_in_id: id })
  expect(await rowOf(id)).toMatchObject({
    mail_state: 'queued',
    mail_attempts: 1,
    mail_problem: expect.stringContaining('421'),
  })
  const { rows } = await sql`
    select start_after > now() as is_later from pgboss.job where data = ${JSON.stringify({ new_sign_in_id: id })}::jsonb
  `.execute(db)
  expect(rows).toEqual([{ is_later: true }])
  mailbox.behave('take')
  await sendNewSignIn(worker.deps, { new_sign_in_id: id })
  expect(await rowOf(id)).toMatchObject({ mail_state: 'sent', mail_attempts: 2, mail_problem: null })
  expect(logLines.join('')).toContain('a mail was not sent')
  expect(logLines.join('')).not.toContain('busy@example.com')
})

test('a refused address fails at once, and a lasting fault after five attempts', async () => {
  mailbox.behave(550)
  const refused = await queueSignIn('refused@example.com')
  await untilRow(refused.id, { mail_state: 'failed', mail_attempts: 1, mail_problem: expect.stringContaining('550') })
  mailbox.behave(421)
  const fifth = await queueSignIn('fifth@example.com', { mail_attempts: 4 })
  await untilRow(fifth.id, { mail_state: 'failed', mail_attempts: 5, mail_problem: expect.stringContaining('421') })
})

test('a worker without mail settings says so', async () => {
  const { id } = await queueSignIn('no-mail@example.com', { isEnqueued: false })
  await sendNewSignIn({ ...worker.deps, mailer: null }, { new_sign_in_id: id })
  expect(await rowOf(id)).toMatchObject({
    mail_state: 'failed',
    mail_problem: expect.stringContaining('The worker has no SMTP_URL.'),
  })
})
