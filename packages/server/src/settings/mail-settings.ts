import { email } from '@switchboard/contract/auth/current-admin'
import { isDecodable } from '@switchboard/database/connection/database-url'
import { StartError } from '@switchboard/database/start/start-error'
import { z } from 'zod'
import { type OutboundProxies, proxyFor } from './outbound-proxies.ts'

/** The mail server, the sender, the origin of the console for links, and the HTTP proxy to use. */
export type MailSettings = {
  smtpUrl: string
  from: { name?: string; address: string }
  consoleUrl: string
  proxy?: string | undefined
}

type Variables = { SMTP_URL?: string | undefined; MAIL_FROM?: string | undefined; PUBLIC_URL?: string | undefined }

/** The mail settings, or `null` without SMTP_URL. Throws a StartError for a missing variable. */
export function mailSettings(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL }: Variables,
  proxies: OutboundProxies,
): MailSettings | null {
  if (SMTP_URL === undefined && MAIL_FROM !== undefined) throw new StartError('MAIL_FROM needs SMTP_URL.')
  if (SMTP_URL === undefined) return null
  if (MAIL_FROM === undefined) throw new StartError('SMTP_URL needs MAIL_FROM, the sender of the mails.')
  if (PUBLIC_URL === undefined)
    throw new StartError('SMTP_URL needs PUBLIC_URL, the address in the links of the mails.')
  const { host, port } = mailServerOf(SMTP_URL)
  return { smtpUrl: SMTP_URL, from: senderOf(MAIL_FROM), consoleUrl: PUBLIC_URL, proxy: proxyFor(host, port, proxies) }
}

/** Host and port of the URL of a mail server. */
export function mailServerOf(smtpUrl: string): { host: string; port: number; secure: boolean } {
  const { protocol, hostname, port } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const usual = secure ? 465 : 587
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usual : Number(port), secure }
}

export const smtpUrl = z.string().superRefine((text, context) => {
  if (isSmtpUrl(text)) return
  const isUnescaped = /^smtps?:\/\/[^/?#:]*:[^@]*@/.test(text)
  context.addIssue(`must be like smtps://user:password@mail.example.com${isUnescaped ? ESCAPES : ''}`)
})

const ESCAPES = ', with the characters # / ? % of the user and the password percent-encoded as %23 %2F %3F %25'

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname))
    return false
  // This is the rest of an unescaped password. The URL parser took its beginning for a host and a port.
  if (url.hash !== '' || url.search.includes('@')) return false
  return isDecodable(`${url.username}${url.password}`)
}

/** Whether a text is an address, or a name with an address in angle brackets. */
export function isSender(text: string): boolean {
  return !/[\r\n]/.test(text) && email.safeParse(senderOf(text).address).success
}

function senderOf(text: string): { name?: string; address: string } {
  const start = text.indexOf('<')
  if (start === -1 || !text.endsWith('>')) return { address: text }
  const name = text.slice(0, start).replaceAll('"', '').trim()
  const address = text.slice(start + 1, -1)
  return name === '' ? { address } : { name, address }
}
