import { inTransaction } from '@switchboard/database/in-transaction'
import { MAIL_ATTEMPTS_MAX } from '@switchboard/contract/mail'
import type { Database } from '@switchboard/database/tables'
import type { MailPayload } from '@switchboard/jobs/mail-queue'
import { MailError } from '@switchboard/mail/mail-error'
import type { Mail } from '@switchboard/mail/mailer'
import type { Kysely } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { retryDelayMs } from '@switchboard/jobs/retry-delay'

export type MailDeps = Pick<Deps, 'db' | 'log' | 'mails' | 'mailer' | 'mailCounts' | 'firstRetryMs' | 'random'>

/** An attempt to send the mail of a row, which has this id and counts its attempts. */
export type MailAttempt = { id: string; attempt: number; to: string; mail: Mail }

type Result = { mail_state: 'sent' | 'queued' | 'failed'; mail_problem: string | null }

/** Writes the result of an attempt to its row. Returns false for a row that has a newer attempt, or is gone. */
type RecordAttempt = (db: Kysely<Database>, attempt: MailAttempt, result: Result) => Promise<boolean>

/**
 * Sends the mail of an attempt, if there is one, and records the result. A retryable failure plans the next attempt; the row
 * keeps the reason.
 *
 * @param payload Content of the row's job.
 */
export async function sendMail(
  deps: MailDeps,
  attempt: MailAttempt | null,
  record: RecordAttempt,
  payload: MailPayload,
): Promise<void> {
  if (attempt === null || deps.mailer === null) return
  try {
    await deps.mailer.send(attempt.to, attempt.mail)
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return await recordFailure(deps, attempt, record, payload, error)
  }
  deps.mailCounts.count('sent')
  await record(deps.db, attempt, { mail_state: 'sent', mail_problem: null })
}

async function recordFailure(
  deps: MailDeps,
  attempt: MailAttempt,
  record: RecordAttempt,
  payload: MailPayload,
  error: MailError,
): Promise<void> {
  const isLast = !error.isRetryable || attempt.attempt >= MAIL_ATTEMPTS_MAX
  deps.mailCounts.count(isLast ? 'failed' : 'retrying')
  deps.log.warn({ ...payload, attempt: attempt.attempt, reason: error.message, isLast }, 'a mail was not sent')
  await inTransaction(deps.db, async (trx) => {
    const result = { mail_state: isLast ? ('failed' as const) : ('queued' as const), mail_problem: error.message }
    if (!(await record(trx, attempt, result)) || isLast) return
    await deps.mails.enqueue(trx, { ...payload, delayMs: retryDelayMs(deps, attempt.attempt, undefined) })
  })
}
