import { foldEmail } from '@switchboard/contract/auth/email-address'
import { linkTokenHash } from '@switchboard/mail/links'
import { createMailer } from '@switchboard/mail/mailer'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { linkIn, startMailbox } from '@switchboard/testing/mailbox'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { deleteExpiredLinks } from './links.queries.ts'
import { sendLink } from './send-link.job.ts'

const mailbox = await startMailbox()
const mailer = createMailer(
  { smtpUrl: mailbox.url, from: { address: 'console@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
const { db, worker, logLines } = await startTestWorker({ mailer })
const ada = await makeUser(db, { email: 'ada@example.com' })
afterAll(() => mailbox.close())
beforeEach(() => {
  mailbox.mails.length = 0
  mailbox.behave('take')
})

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
/** Queues a mail as admin-api does. */
const queueLink = (fields: { kind: 'invitation' | 'password_reset'; email: string; mail_attempts?: number }) =>
  db.transaction().execute(async (trx) => {
    const isInvitation = fields.kind === 'invitation'
    const link = await trx
      .insertInto('links')
      .values({
        ...fields,
        folded_email: foldEmail(fields.email),
        role: isInvitation ? 'support' : null,
        invited_by: isInvitation ? 'ada@example.com' : null,
        invited_by_id: isInvitation ? ada.id : null,
        mail_state: 'queued',
        created_at: inHours(0),
        expires_at: inHours(1),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await worker.queue.mails.enqueue(trx, { link_id: link.id })
    return link
  })
const linkRow = (id: string) => db.selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst()
/** The counted attempts of this worker. */
const counted = () =>
  Object.fromEntries(worker.deps.mailCounts.totals().map(({ labels, count }) => [labels['outcome'], count]))
const untilRow = (id: string, fields: object) =>
  vi.waitFor(async () => expect(await linkRow(id)).toMatchObject(fields), { timeout: 60_000, interval: 50 })

test('an invitation is sent with a new token, of which only the hash is stored, for 72 hours from now', async () => {
  const { id } = await queueLink({ kind: 'invitation', email: 'grace@example.com' })
  await untilRow(id, { mail_state: 'sent', mail_attempts: 1, mail_problem: null })
  const [mail] = mailbox.mails
  const [page, token = ''] = linkIn(mail ?? {}).split('#')
  expect(page).toBe('https://console.example.com/invitation')
  expect(token).toMatch(/^[\w-]{43}$/)
  const row = await linkRow(id)
  expect(row?.token_hash).toEqual(linkTokenHash(token))
  const hours = (Date.parse(row?.expires_at ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(71.9)
  expect(hours).toBeLessThan(72.1)
  expect(logLines.join('')).not.toContain(token)
})

test('a sent mail is not sent twice, although its job runs again', async () => {
  const { id } = await queueLink({ kind: 'invitation', email: 'twice@example.com' })
  await untilRow(id, { mail_state: 'sent' })
  await sendLink(worker.deps, { link_id: id })
  await sendLink(worker.deps, { link_id: crypto.randomUUID() })
  expect(mailbox.mails).toHaveLength(1)
})

test('a password reset link goes to the address of the account, and is valid for 60 minutes', async () => {
  const user = await makeUser(db, { email: 'Lena@Example.com', role: 'auditor' })
  const { id } = await queueLink({ kind: 'password_reset', email: 'lena@example.com' })
  await untilRow(id, { mail_state: 'sent', user_id: user.id })
  expect(mailbox.mails).toMatchObject([{ to: { value: [{ address: 'Lena@example.com' }] } }])
  expect(linkIn(mailbox.mails[0] ?? {})).toMatch(/^https:\/\/console\.example\.com\/reset-password#[\w-]{43}$/)
  const minutes = (Date.parse((await linkRow(id))?.expires_at ?? '') - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(59)
  expect(minutes).toBeLessThan(61)
})

test('the invitation of a user leads to the portal of the tenant, in its name, for 72 hours', async () => {
  const tenant = await makeTenant(db, { name: 'Harbor Dental' })
  const user = await makeUser(db, { email: 'jo@harbor.example', role: 'admin', tenant_id: tenant.id })
  const { id } = await db.transaction().execute(async (trx) => {
    const link = await trx
      .insertInto('links')
      .values({
        kind: 'user_invitation',
        email: user.email,
        folded_email: user.folded_email,
        user_id: user.id,
        portal_url: 'https://harbor.example.com',
        mail_state: 'queued',
        created_at: inHours(0),
        expires_at: inHours(1),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await worker.queue.mails.enqueue(trx, { link_id: link.id })
    return link
  })
  await untilRow(id, { mail_state: 'sent', user_id: user.id })
  const [mail] = mailbox.mails
  expect(mail).toMatchObject({ subject: 'Your account at Harbor Dental', to: { value: [{ address: user.email }] } })
  expect(mail?.text).not.toMatch(/switchboard|console/i)
  const [page, token = ''] = linkIn(mail ?? {}).split('#')
  expect(page).toBe('https://harbor.example.com/invitation')
  const row = await linkRow(id)
  expect(row?.token_hash).toEqual(linkTokenHash(token))
  expect((Date.parse(row?.expires_at ?? '') - Date.now()) / 3_600_000).toBeCloseTo(72, 0)
})

test('a new address of an account gets a link for 24 hours', async () => {
  const user = await makeUser(db, { email: 'before@example.com', role: 'auditor' })
  const { id } = await db.transaction().execute(async (trx) => {
    const link = await trx
      .insertInto('links')
      .values({
        kind: 'email_change',
        email: 'After@example.com',
        folded_email: 'after@example.com',
        user_id: user.id,
        invited_by: 'ada@example.com',
        invited_by_id: ada.id,
        mail_state: 'queued',
        created_at: inHours(0),
        expires_at: inHours(1),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await worker.queue.mails.enqueue(trx, { link_id: link.id })
    return link
  })
  await untilRow(id, { mail_state: 'sent', user_id: user.id })
  expect(mailbox.mails).toMatchObject([{ to: { value: [{ address: 'After@example.com' }] } }])
  expect(mailbox.mails[0]?.text).toContain(
    'ada@example.com asked to change the address of the account before@example.com of the Switchboard console to After@example.com.',
  )
  const [page, token = ''] = linkIn(mailbox.mails[0] ?? {}).split('#')
  expect(page).toBe('https://console.example.com/email-change')
  expect((await linkRow(id))?.token_hash).toEqual(linkTokenHash(token))
  const hours = (Date.parse((await linkRow(id))?.expires_at ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThan(24.1)
})

test('no mail goes to an unknown address, an inactive account, a user of a tenant or an account that may only use single sign-on', async () => {
  const tenant = await makeTenant(db)
  await makeUser(db, { email: 'inactive@example.com', is_active: false })
  await makeUser(db, { email: 'visitor@example.com', role: 'admin', tenant_id: tenant.id })
  await makeUser(db, { email: 'signed-on@example.com', may_use_password: false })
  const emails = ['unknown@example.com', 'inactive@example.com', 'visitor@example.com', 'signed-on@example.com']
  for (const email of emails) {
    const { id } = await queueLink({ kind: 'password_reset', email })
    await untilRow(id, { mail_state: 'sent', user_id: null, token_hash: null })
  }
  expect(mailbox.mails).toEqual([])
})

test('a failed attempt is shown with its reason and repeated, each time with a new token', async () => {
  mailbox.behave(421)
  const { sent = 0, retrying = 0, failed = 0 } = counted()
  const { id } = await queueLink({ kind: 'invitation', email: 'busy@example.com' })
  await untilRow(id, { mail_state: 'queued', mail_problem: expect.stringContaining('421') })
  const first = await linkRow(id)
  mailbox.behave('take')
  await untilRow(id, { mail_state: 'sent', mail_problem: null })
  const last = await linkRow(id)
  expect(last?.token_hash).not.toEqual(first?.token_hash)
  expect(logLines.join('')).toContain('a mail was not sent')
  const failures = (last?.mail_attempts ?? 0) - 1
  expect(failures).toBeGreaterThan(0)
  await expect.poll(counted).toEqual({ sent: sent + 1, retrying: retrying + failures, failed })
})

test('a refused address fails at once, and a lasting fault after five attempts', async () => {
  mailbox.behave(550)
  const { sent = 0, retrying = 0, failed = 0 } = counted()
  const refused = await queueLink({ kind: 'invitation', email: 'refused@example.com' })
  await untilRow(refused.id, { mail_state: 'failed', mail_attempts: 1, mail_problem: expect.stringContaining('550') })
  mailbox.behave(421)
  const fifth = await queueLink({ kind: 'invitation', email: 'fifth@example.com', mail_attempts: 4 })
  await untilRow(fifth.id, { mail_state: 'failed', mail_attempts: 5, mail_problem: expect.stringContaining('421') })
  await expect.poll(counted).toEqual({ sent, retrying, failed: failed + 2 })
})

test('a worker without mail settings says so on the invitation', async () => {
  const { id } = await db.transaction().execute((trx) =>
    trx
      .insertInto('links')
      .values({
        kind: 'invitation',
        email: 'no-mail@example.com',
        folded_email: 'no-mail@example.com',
        role: 'support',
        invited_by: 'ada@example.com',
        invited_by_id: ada.id,
        mail_state: 'queued',
        created_at: inHours(0),
        expires_at: inHours(1),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await sendLink({ ...worker.deps, mailer: null }, { link_id: id })
  expect(await linkRow(id)).toMatchObject({
    mail_state: 'failed',
    mail_problem: expect.stringContaining('The worker has no SMTP_URL.'),
  })
})

test('expired resets are deleted at once, expired invitations after 30 days', async () => {
  const insert = (kind: 'invitation' | 'password_reset', email: string, hours: number) => {
    const isInvitation = kind === 'invitation'
    const about = {
      role: isInvitation ? ('support' as const) : null,
      invited_by: isInvitation ? 'ada@x.example' : null,
      invited_by_id: isInvitation ? ada.id : null,
    }
    return db
      .insertInto('links')
      .values({ kind, email, folded_email: email, ...about, created_at: inHours(hours), expires_at: inHours(hours) })
      .execute()
  }
  await insert('password_reset', 'old@example.com', -1)
  await insert('password_reset', 'new@example.com', 1)
  await insert('invitation', 'month@example.com', -31 * 24)
  await insert('invitation', 'week@example.com', -7 * 24)
  await deleteExpiredLinks(db)
  const rows = await db
    .selectFrom('links')
    .select('email')
    .where('email', 'in', ['old@example.com', 'new@example.com', 'month@example.com', 'week@example.com'])
    .orderBy('email')
    .execute()
  expect(rows.map(({ email }) => email)).toEqual(['new@example.com', 'week@example.com'])
})
