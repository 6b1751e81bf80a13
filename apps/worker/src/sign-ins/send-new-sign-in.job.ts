import { MAIL_ATTEMPTS_MAX, WORKER_WITHOUT_MAIL } from '@switchboard/contract/mail'
import type { Database } from '@switchboard/database/tables'
import type { SendNewSignInPayload } from '@switchboard/jobs/mail-queue'
import { MailError } from '@switchboard/mail/mail-error'
import type { Mail } from '@switchboard/mail/mailer'
import { newSignInMail } from '@switchboard/mail/mails'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { retryDelayMs } from '#src/runs/retry-delay.ts'
import * as queries from './sign-ins.queries.ts'

type SignInDeps = Pick<Deps, 'db' | 'log' | 'mails' | 'mailer' | 'mailCounts' | 'firstRetryMs' | 'random'>
type Attempt = { id: string; attempt: number; to: string; mail: Mail }

/**
 * Sends the mail about a sign-in from a new network or browser. Idempotent: does nothing for a sign-in whose mail was sent, or
 * that is forgotten.
 */
export async function sendNewSignIn(deps: SignInDeps, { new_sign_in_id }: SendNewSignInPayload): Promise<void> {
  const attempt = await deps.db.transaction().execute((trx) => beginAttempt(deps, trx, new_sign_in_id))
  if (attempt === null || deps.mailer === null) return
  try {
    await deps.mailer.send(attempt.to, attempt.mail)
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return await recordFailure(deps, attempt, error)
  }
  deps.mailCounts.count('sent')
  await queries.recordAttempt(deps.db, attempt, { mail_state: 'sent', mail_problem: null })
}

/** The mail of the next attempt, or `null` if there is no mail to send. */
async function beginAttempt(
  { mailer, mailCounts }: SignInDeps,
  trx: Transaction<Database>,
  id: string,
): Promise<Attempt | null> {
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

/** Plans the next attempt, or gives up and keeps the reason for the notice of the sign-in. */
async function recordFailure(deps: SignInDeps, attempt: Attempt, error: MailError): Promise<void> {
  const isLast = !error.isRetryable || attempt.attempt >= MAIL_ATTEMPTS_MAX
  deps.mailCounts.count(isLast ? 'failed' : 'retrying')
  const about = { new_sign_in_id: attempt.id, attempt: attempt.attempt, reason: error.message, isLast }
  deps.log.warn(about, 'a mail was not sent')
  await deps.db.transaction().execute(async (trx) => {
    const result = { mail_state: isLast ? ('failed' as const) : ('queued' as const), mail_problem: error.message }
    if (!(await queries.recordAttempt(trx, attempt, result)) || isLast) return
    const delayMs = retryDelayMs(deps, attempt.attempt, undefined)
    await deps.mails.enqueue(trx, { new_sign_in_id: attempt.id, delayMs })
  })
}
