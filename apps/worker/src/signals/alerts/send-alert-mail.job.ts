import { WORKER_WITHOUT_MAIL } from '@switchboard/contract/mail'
import { beginAttempt, type QueuedMail, recordAttempt } from '@switchboard/database/alerts/alerts.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { SendAlertMailPayload } from '@switchboard/jobs/mail-queue'
import { alertMail } from '@switchboard/mail/alert-mail'
import { type MailAttempt, type MailDeps, sendMail } from '#src/mail/send-mail.service.ts'

/** Tells a person about alerts. Idempotent: does nothing if the mail was sent or is deleted. */
export async function sendAlertMail(deps: MailDeps, { alert_mail_id }: SendAlertMailPayload): Promise<void> {
  const begun = await inTransaction(deps.db, (trx) => beginAttempt(trx, alert_mail_id))
  if (begun === null) return
  await sendMail(deps, await attemptOf(deps, begun), recordAttempt, { alert_mail_id })
}

/** The attempt with its mail. Null for a worker that cannot send. */
async function attemptOf({ db, mailer, mailCounts }: MailDeps, queued: QueuedMail): Promise<MailAttempt | null> {
  if (mailer !== null) return { ...queued, mail: alertMail(mailer, queued) }
  mailCounts.count('failed')
  await recordAttempt(db, queued, { mail_state: 'failed', mail_problem: WORKER_WITHOUT_MAIL })
  return null
}
