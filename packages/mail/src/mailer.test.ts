import { setTimeout as sleep } from 'node:timers/promises'
import { startMailbox } from '@switchboard/testing/mailbox'
import { startConnectProxy } from '@switchboard/testing/connect-proxy'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { mailErrorOf } from './mail-error.ts'
import { createMailer } from './mailer.ts'
import {
  accountChangedMail,
  emailChangeMail,
  invitationMail,
  newSignInMail,
  passwordResetMail,
  testMail,
  userInvitationMail,
} from './mails.ts'

const TOTAL_MS = 500
const mailbox = await startMailbox()
afterAll(() => mailbox.close())
beforeEach(() => {
  mailbox.mails.length = 0
  mailbox.recipients.length = 0
  mailbox.behave('take')
})

const URL_OF_LINK = `https://console.example.com/invitation#${'t'.repeat(43)}`
const settings = {
  smtpUrl: mailbox.url,
  from: { name: 'Console, of <Harbor>', address: 'console@example.com' },
  consoleUrl: 'https://console.example.com',
}
const mailerTo = (smtpUrl: string, totalMs?: number) => {
  const mailer = createMailer({ ...settings, smtpUrl }, 'A & <b>', totalMs)
  if (mailer === null) throw new Error('There are mail settings.')
  return mailer
}
const mailer = mailerTo(mailbox.url)
const invitation = invitationMail(mailer, { url: URL_OF_LINK, role: 'super_admin', invited_by: 'ada@example.com' })

test('there is no mailer without mail settings', () => {
  expect(createMailer(null, 'Switchboard')).toBeNull()
})

test('a mail arrives as text and as HTML, with the link in both', async () => {
  await mailer.send('grace@example.com', invitation)
  const [mail] = mailbox.mails
  expect(mail).toMatchObject({
    subject: 'Invitation to A & <b>',
    from: { value: [{ name: 'Console, of <Harbor>', address: 'console@example.com' }] },
    to: { value: [{ address: 'grace@example.com' }] },
  })
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail?.text).toContain(`\n\n${URL_OF_LINK}\n\n`)
  expect(mail?.text).toContain('with the role super admin.')
  expect(mail?.html).toContain(`href="${URL_OF_LINK}"`)
})

test('a mail to or from an internationalized domain has the domain in ASCII', async () => {
  const other = createMailer({ ...settings, from: { address: 'console@bücher.example' } }, 'Switchboard')
  await other?.send('Grace@BÜCHER.example', invitation)
  const headers = mailbox.mails.flatMap(({ headerLines }) =>
    headerLines.filter(({ key }) => key === 'to' || key === 'from').map(({ line }) => line),
  )
  expect(headers).toEqual(['From: Switchboard <console@xn--bcher-kva.example>', 'To: Grace@xn--bcher-kva.example'])
  // The test's mail server decodes the domains of recipients.
  expect(mailbox.recipients).toEqual(['Grace@bücher.example'])
})

test('a mail to an address with letters beyond ASCII before the "@" is sent to the mail server unchanged', async () => {
  await mailer.send('jörg@example.com', invitation)
  expect(mailbox.recipients).toEqual(['jörg@example.com'])
})

test.each([
  ['an invitation', invitation],
  [
    'an invitation of a user',
    userInvitationMail({
      url: URL_OF_LINK,
      email: '<img src=x>@x.example',
      tenant: 'A & <b>',
      portal_url: 'https://a.example.com',
    }),
  ],
  ['a password reset', passwordResetMail(mailer, { url: URL_OF_LINK, email: '"><img src=x>@example.com' })],
  [
    'a new sign-in',
    newSignInMail(mailer, {
      email: '<img src=x>@x.example',
      at: '2026-11-20T09:00:00Z',
      device: 'A <b>',
      address: '::1',
    }),
  ],
  [
    'a new address',
    emailChangeMail(mailer, {
      url: URL_OF_LINK,
      email: '<img src=x>@x.example',
      account: '<b>@x.example',
      requested_by: 'A <b>',
    }),
  ],
  [
    'a changed account',
    accountChangedMail(mailer, {
      account: '<img src=x>@x.example',
      changes: ['The passkey “<b>” was added.'],
      changed_by: 'A <b>',
      address: null,
      changed_at: '2026-11-20T09:00:00Z',
    }),
  ],
  ['a test mail', testMail(mailer)],
])('the HTML of %s escapes texts and loads nothing', (_, { html, subject }) => {
  expect(html).not.toMatch(/<b>|<img|<script|<link|src="|url\(/)
  expect(html).toContain('A &amp; &lt;b&gt;')
  expect(subject).not.toMatch(/[\r\n]/)
})

test('a refused address is not tried again, a busy server is', async () => {
  mailbox.behave(550)
  await expect(mailer.send('grace@example.com', invitation)).rejects.toMatchObject({
    message: 'The mail server refused the address. Its answer: “550 Refused by the test”',
    isRetryable: false,
  })
  mailbox.behave(421)
  await expect(mailer.send('grace@example.com', invitation)).rejects.toMatchObject({
    message: 'The mail server did not take the mail. Its answer: “421 Refused by the test”',
    isRetryable: true,
  })
})

test('a server that stops answering is given up after the time limit', async () => {
  mailbox.behave('silent')
  const sent = mailerTo(mailbox.url, TOTAL_MS).send('grace@example.com', invitation)
  // Timers end in their order, also when the process has paused.
  const late = sleep(TOTAL_MS * 5, 'late')
  expect(await Promise.race([sent.catch(String), late])).toContain('The mail server did not answer in time.')
})

test.each([
  ['smtp://127.0.0.1:1', 'The mail server cannot be reached.'],
  ['smtp://mail.invalid', 'The host in SMTP_URL has no address.'],
])('%s: %s', async (url, sentence) => {
  await expect(mailerTo(url).send('grace@example.com', invitation)).rejects.toMatchObject({
    message: sentence,
    isRetryable: true,
  })
})

test('a server of another machine must offer encryption, unless the URL says tls=optional', async () => {
  const { port } = new URL(mailbox.url)
  // 0.0.0.0 reaches this machine, but is not a loopback address.
  await expect(mailerTo(`smtp://0.0.0.0:${port}`).send('grace@example.com', invitation)).rejects.toThrow(
    'The mail server offers no encryption with a valid certificate.',
  )
  await mailerTo(`smtp://0.0.0.0:${port}/?tls=optional`).send('grace@example.com', invitation)
  expect(mailbox.mails).toHaveLength(1)
})

test.each([
  [{ code: 'EAUTH', response: '535 5.7.8 Bad credentials' }, /^The mail server refused the user or the password/, true],
  [{ code: 'EMESSAGE', permanent: true, response: '554 No spam' }, /“554 No spam”/, false],
  [{ code: 'ESOCKET', message: 'self-signed certificate' }, /valid certificate/, true],
  [{ code: 'EENVELOPE', permanent: true, response: `550 ${'t'.repeat(43)} ${'x '.repeat(200)}` }, /“550 … x/, false],
  [{}, /^The mail could not be sent\.$/, true],
])('%o is reported as %s', (fields, sentence, isRetryable) => {
  const error = mailErrorOf(Object.assign(new Error(), fields))
  expect(error.message).toMatch(sentence)
  expect(error.message.length).toBeLessThan(250)
  expect(error.isRetryable).toBe(isRetryable)
})

test.for([
  ['leads to the mail server', 'mail.example', undefined],
  [
    'does not',
    'else.example',
    'The proxy in HTTPS_PROXY does not lead to the mail server. Name its host in NO_PROXY to go around it.',
  ],
] as const)('a mail goes through a proxy, which %s', async ([, host, sentence]) => {
  const { port } = new URL(mailbox.url)
  const proxy = await startConnectProxy({ ports: { 'mail.example': Number(port) }, credentials: 'ada:secret' })
  onTestFinished(() => proxy.close())
  const smtpUrl = `smtp://${host}:${port}?tls=optional`
  const proxied = createMailer({ ...settings, smtpUrl, proxy: proxy.url }, 'Switchboard')
  const error = await proxied?.send('grace@example.com', invitation).catch((failure: unknown) => failure)
  expect(error).toEqual(sentence && expect.objectContaining({ message: sentence, isRetryable: true }))
  expect([proxy.targets, mailbox.mails.length]).toEqual([[`${host}:${port}`], sentence === undefined ? 1 : 0])
})
