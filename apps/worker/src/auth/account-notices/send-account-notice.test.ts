import { createMailer } from '@switchboard/mail/mailer'
import { startMailbox } from '@switchboard/testing/mailbox'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { deleteOldNotices } from './account-notices.queries.ts'
import { sendAccountNotice } from './send-account-notice.job.ts'

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

/** Queues a notice like admin-api does. */
const queueNotice = async (fields: { changed_at?: Date; address?: string | null; mail_attempts?: number } = {}) => {
  const { id } = await db
    .insertInto('account_notices')
    .values({
      mail_to: 'ada@example.com',
      account: 'ada@example.com',
      changes: ['The role was changed from support to auditor.', 'The account was deactivated.'],
      changed_by: 'grace@example.com',
      address: '203.0.113.4',
      changed_at: new Date('2026-11-20T09:05:00.000Z'),
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const send = (id: string, deps = worker.deps) => sendAccountNotice(deps, { account_notice_id: id })
const rowOf = (id: string) => db.selectFrom('account_notices').selectAll().where('id', '=', id).executeTakeFirst()

test('a job sends the mail, which names the changes, the time, the actor, the network address and what to do', async () => {
  const id = await queueNotice()
  await db.transaction().execute((trx) => worker.queue.mails.enqueue(trx, { account_notice_id: id }))
  await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ mail_state: 'sent', mail_attempts: 1 }), {
    timeout: 60_000,
    interval: 50,
  })
  expect(mailbox.mails).toMatchObject([
    { subject: 'Your Switchboard account was changed', to: { value: [{ address: 'ada@example.com' }] } },
  ])
  const [mail] = mailbox.mails
  for (const text of [mail?.text, mail?.html])
    for (const fact of [
      'Your account ada@example.com of the Switchboard console was changed.',
      'The role was changed from support to auditor.',
      'The account was deactivated.',
      'Time: 20 November 2026 at 09:05 UTC',
      'By: grace@example.com',
      'Network address: 203.0.113.4',
      'https://console.example.com/settings/security',
      'change your password in Settings at once',
    ])
      expect(text).toContain(fact)
})

test('a change on the server has no network address', async () => {
  await send(await queueNotice({ address: null }))
  expect(mailbox.mails[0]?.text).toContain('Network address: the server itself')
})

test('a notice is not sent twice, even if its job runs again', async () => {
  const id = await queueNotice()
  await send(id)
  await send(id)
  await send(crypto.randomUUID())
  expect(mailbox.mails).toHaveLength(1)
})

test('the mail is sent later to a busy mail server, and never again to a refused address', async () => {
  mailbox.behave(421)
  const busy = await queueNotice()
  await send(busy)
  expect(await rowOf(busy)).toMatchObject({ mail_state: 'queued', mail_problem: expect.stringContaining('421') })
  mailbox.behave(550)
  const refused = await queueNotice()
  await send(refused)
  expect(await rowOf(refused)).toMatchObject({ mail_state: 'failed', mail_problem: expect.stringContaining('550') })
  expect(logLines.join('')).toContain('a mail was not sent')
  expect(logLines.join('')).not.toContain('ada@example.com')
})

test('a worker without mail settings says so', async () => {
  const id = await queueNotice()
  await send(id, { ...worker.deps, mailer: null })
  expect(await rowOf(id)).toMatchObject({
    mail_state: 'failed',
    mail_problem: expect.stringContaining('The worker has no SMTP_URL.'),
  })
})

test('notices are deleted after 30 days', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const [old, recent] = [await queueNotice({ changed_at: daysAgo(31) }), await queueNotice({ changed_at: daysAgo(29) })]
  await deleteOldNotices(db)
  expect([await rowOf(old), await rowOf(recent)]).toMatchObject([undefined, { id: recent }])
})
