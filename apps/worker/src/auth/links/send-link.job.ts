import { LINK_LIFETIME_MS } from '@switchboard/contract/links'
import { WORKER_WITHOUT_MAIL } from '@switchboard/contract/mail'
import { databaseTime } from '@switchboard/database/database-clock'
import type { Database } from '@switchboard/database/tables'
import type { SendLinkPayload } from '@switchboard/jobs/mail-queue'
import { newLink } from '@switchboard/mail/links'
import type { Mail, Mailer } from '@switchboard/mail/mailer'
import { emailChangeMail, invitationMail, passwordResetMail, userInvitationMail } from '@switchboard/mail/mails'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { type MailAttempt, type MailDeps, sendMail } from '#src/mail/send-mail.service.ts'
import * as queries from './links.queries.ts'

type LinkDeps = MailDeps & Pick<Deps, 'randomBytes'>
type QueuedLink = NonNullable<Awaited<ReturnType<typeof queries.lockQueuedLink>>>

/**
 * Sends the mail of a link. Each attempt makes a new token and stores its hash, so the link in an earlier mail is
 * no longer valid. Idempotent: does nothing for a link whose mail was sent, or that is gone.
 */
export async function sendLink(deps: LinkDeps, { link_id }: SendLinkPayload): Promise<void> {
  const attempt = await deps.db.transaction().execute((trx) => beginAttempt(deps, trx, link_id))
  await sendMail(deps, attempt, queries.recordAttempt, { link_id })
}

/** The mail of the next attempt, or `null` if there is no mail to send. */
async function beginAttempt(deps: LinkDeps, trx: Transaction<Database>, id: string): Promise<MailAttempt | null> {
  const { mailer, mailCounts } = deps
  const link = await queries.lockQueuedLink(trx, id)
  if (link === undefined) return null
  if (mailer === null) {
    mailCounts.count('failed')
    await queries.updateLink(trx, id, { mail_state: 'failed', mail_problem: WORKER_WITHOUT_MAIL })
    return null
  }
  const account = link.kind === 'password_reset' ? await queries.accountForReset(trx, link.email) : undefined
  // admin-api accepts every address. The row stays until its expiry, as the row of an account does: otherwise the
  // response time of a second request would reveal whether the address has an account.
  if (link.kind === 'password_reset' && account === undefined) {
    await queries.updateLink(trx, id, { mail_state: 'sent' })
    return null
  }
  const { url, token_hash } = newLink(deps, link.kind, link.portal_url ?? mailer.consoleUrl)
  const at = await databaseTime(trx)
  const attempt = link.mail_attempts + 1
  await queries.updateLink(trx, id, {
    token_hash,
    user_id: account?.id ?? link.user_id,
    expires_at: new Date(at.getTime() + LINK_LIFETIME_MS[link.kind]),
    mail_attempts: attempt,
  })
  return { id, attempt, to: account?.email ?? link.email, mail: mailOf(mailer, link, url) }
}

function mailOf(
  mailer: Mailer,
  { email, role, invited_by, account, tenant, portal_url }: QueuedLink,
  url: string,
): Mail {
  if (tenant !== null && portal_url !== null) return userInvitationMail({ tenant, portal_url, url, email })
  if (account !== null && invited_by !== null)
    return emailChangeMail(mailer, { url, email, account, requested_by: invited_by })
  if (role === null || invited_by === null) return passwordResetMail(mailer, { url, email })
  return invitationMail(mailer, { url, role, invited_by })
}
