import { mailServerOf, type MailSettings } from '@switchboard/server/settings/mail-settings'
import { createTransport } from 'nodemailer'
import { mailErrorOf } from './mail-error.ts'

/** Time limits in milliseconds: for the connection and the greeting, for silence, and for the whole mail. */
const CONNECT_MS = 5_000
const SILENCE_MS = 10_000
const TOTAL_MS = 12_000

/** A mail to one person. A mail that may be sent twice has an id, by which mail programs show it once. */
export type Mail = { subject: string; text: string; html: string; id?: string }

export type Mailer = {
  /** The name of the product in the mails. */
  brandName: string
  /** Origin of the console in the links of the mails. */
  consoleUrl: string
  /** Hands a mail to the mail server, in one attempt. Throws a MailError. */
  send: (to: string, mail: Mail) => Promise<void>
  /** Signs in to the mail server without sending a mail. Throws a MailError. */
  verify: () => Promise<void>
}

/**
 * Creates the mailer of a process, or `null` without mail settings. Each mail has a separate connection. The connection
 * is encrypted, unless the mail server is on this machine or SMTP_URL has `?tls=optional`.
 */
export function createMailer(settings: MailSettings | null, brandName: string, totalMs = TOTAL_MS): Mailer | null {
  if (settings === null) return null
  const transport = createTransport({
    ...connectionOf(settings.smtpUrl),
    ...(settings.proxy !== undefined && { proxy: settings.proxy }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { name = brandName, address } = settings.from
  return {
    brandName,
    consoleUrl: settings.consoleUrl,
    async send(to, { id, ...mail }) {
      try {
        await transport.sendMail({
          ...mail,
          ...(id !== undefined && { messageId: `<${id}@${new URL(settings.consoleUrl).hostname}>` }),
          from: { name, address },
          // As an object, because a text may name several addresses.
          to: { name: '', address: to },
          // RFC 3834: no automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(totalMs),
        })
      } catch (error) {
        throw mailErrorOf(error)
      }
    },
    async verify() {
      try {
        await transport.verify()
      } catch (error) {
        throw mailErrorOf(error)
      }
    },
  }
}

function connectionOf(smtpUrl: string) {
  const { username, password, searchParams } = new URL(smtpUrl)
  const { host, port, secure } = mailServerOf(smtpUrl)
  const isLocal = /^(localhost|127\.[\d.]+|::1)$/.test(host)
  return {
    host,
    port,
    secure,
    requireTLS: !secure && !isLocal && searchParams.get('tls') !== 'optional',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}
