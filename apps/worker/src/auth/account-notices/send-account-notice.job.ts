import { WORKER_WITHOUT_MAIL } from '@switchboard/contract/mail'
import type { Database } from '@switchboard/database/tables'
import type { SendAccountNoticePayload } from '@switchboard/jobs/mail-queue'
import { accountChangedMail } from '@switchboard/mail/mails'
import type { Transaction } from 'kysely'
import { type MailAttempt, type MailDeps, sendMail } from '#src/mail/send-mail.service.ts'
import * as queries from './account-notices.queries.ts'

/**
 * Tells a member about a change of their account. Idempotent: does nothing if the mail was sent or the notice no longer
 * exists.
 */
export async function sendAccountNotice(
  deps: MailDeps,
  { account_notice_id }: SendAccountNoticePayload,
): Promise<void> {
  const attempt = await deps.db.transaction().execute((trx) => beginAttempt(deps, trx, account_notice_id))
  await sendMail(deps, attempt, queries.recordAttempt, { account_notice_id })
}

/** The mail of the next attempt, or `null` if there is no mail to send. */
async function beginAttempt(
  { mailer, mailCounts }: MailDeps,
  trx: Transaction<Database>,
  id: string,
): Promise<MailAttempt | null> {
  const notice = await queries.lockQueuedNotice(trx, id)
  if (notice === undefined) return null
  if (mailer === null) {
    mailCounts.count('failed')
    await queries.updateNotice(trx, id, { mail_state: 'failed', mail_problem: WORKER_WITHOUT_MAIL })
    return null
  }
  const attempt = notice.mail_attempts + 1
  await queries.updateNotice(trx, id, { mail_attempts: attempt })
  return { id, attempt, to: notice.mail_to, mail: accountChangedMail(mailer, notice) }
}
