import { WORKER_WITHOUT_MAIL } from '@switchboard/contract/mail'
import type { Database } from '@switchboard/database/tables'
import type { SendNewSignInPayload } from '@switchboard/jobs/mail-queue'
import { newSignInMail } from '@switchboard/mail/mails'
import type { Transaction } from 'kysely'
import { type MailAttempt, type MailDeps, sendMail } from '#src/mail/send-mail.service.ts'
import * as queries from './sign-ins.queries.ts'

/**
 * Sends the mail about a sign-in from a new network or browser. Idempotent: does nothing for a sign-in whose mail was sent, or
 * that is forgotten.
 */
export async function sendNewSignIn(deps: MailDeps, { new_sign_in_id }: SendNewSignInPayload): Promise<void> {
  const attempt = await deps.db.transaction().execute((trx) => beginAttempt(deps, trx, new_sign_in_id))
  await sendMail(deps, attempt, queries.recordAttempt, { new_sign_in_id })
}

/** The mail of the next attempt, or `null` if there is no mail to send. */
async function beginAttempt(
  { mailer, mailCounts }: MailDeps,
  trx: Transaction<Database>,
  id: string,
): Promise<MailAttempt | null> {
  const signIn = await queries.lockQueuedSignIn(trx, id)
  if (signIn === undefined || signIn.mail_to === null) return null
  if (mailer === null) {
    mailCounts.count('failed')
    await queries.updateSignIn(trx, id, { mail_state: 'failed', mail_problem: WORKER_WITHOUT_MAIL })
    return null
  }
  const { mail_to, mail_attempts, ...about } = signIn
  const attempt = mail_attempts + 1
  await queries.updateSignIn(trx, id, { mail_attempts: attempt })
  return { id, attempt, to: mail_to, mail: newSignInMail(mailer, { ...about, email: mail_to }) }
}
