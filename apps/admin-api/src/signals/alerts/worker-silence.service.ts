import { MAIL_ATTEMPTS_MAX } from '@switchboard/contract/mail'
import { alertRules } from '@switchboard/database/alerts/alert-rules.queries'
import * as queries from '@switchboard/database/alerts/alerts.queries'
import { planMessages } from '@switchboard/database/alerts/plan-messages'
import { reportCause } from '@switchboard/database/alerts/report-cause'
import { databaseTime } from '@switchboard/database/database-clock'
import { inTransaction } from '@switchboard/database/in-transaction'
import { pause } from '@switchboard/database/pause'
import { alertMail } from '@switchboard/mail/alert-mail'
import { MailError } from '@switchboard/mail/mail-error'
import { loggingFailures } from '@switchboard/server/process/repeated-failures'
import type { Deps } from '#src/deps.ts'

type SilenceDeps = Pick<Deps, 'db' | 'log' | 'queue' | 'mails' | 'mailer' | 'publicUrl'>

/** Interval of the checks, in milliseconds. */
const EVERY_MS = 20_000
const MINUTE_MS = 60_000

/**
 * Checks whether a worker runs and looks for causes of alerts, until stopped. Workers open all other alerts and send their mails,
 * so only admin-api can tell when none does.
 */
export function watchWorkers(deps: SilenceDeps, everyMs = EVERY_MS): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const startedMs = performance.now()
  const check = loggingFailures(deps.log, 'looking for workers', () =>
    checkWorkers(deps, performance.now() - startedMs),
  )
  const run = async () => {
    while (!stopping.signal.aborted) {
      await check()
      await pause(everyMs, stopping.signal)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/**
 * Opens the alert about silent workers or resolves it. While there is no worker, it also sends the mails about alerts.
 *
 * @param watchedMs How long this process has watched. A shorter silence says nothing: after a pause of the whole installation,
 *   workers may start a moment later than this process.
 */
export async function checkWorkers(deps: SilenceDeps, watchedMs: number): Promise<void> {
  const { db, queue, mailer, mails, publicUrl } = deps
  const workers = await queue.workers()
  const isRunning = workers.some(({ is_live }) => is_live)
  const seen = workers.map(({ seen_at }) => Date.parse(seen_at))
  const silentMs = isRunning ? await queries.msSinceLook(db) : (await databaseTime(db)).getTime() - Math.max(...seen)
  const minutes = (await alertRules(db))('worker_silent').threshold ?? 0
  const limitMs = minutes * MINUTE_MS
  if (isRunning && silentMs < limitMs) return await reportCause(db, 'worker_silent', null)
  if (Math.min(silentMs, watchedMs) < limitMs) return
  const text = isRunning
    ? `Workers run, but none has looked for causes of alerts for ${minutes} minutes.`
    : `No worker has run for ${minutes} minutes.`
  await reportCause(db, 'worker_silent', text, (trx, ruleOf) =>
    planMessages(trx, ruleOf, { enqueue: mailer === null ? null : mails.enqueue, publicUrl }, ['worker_silent']),
  )
  if (!isRunning) await sendQueuedMails(deps)
}

/** Sends the mails that no worker takes. Their jobs do nothing later. */
async function sendQueuedMails(deps: SilenceDeps): Promise<void> {
  if (deps.mailer === null) return
  for (const { id } of await queries.idleMails(deps.db)) await sendOne(deps, deps.mailer, id)
}

async function sendOne({ db, log }: SilenceDeps, mailer: NonNullable<Deps['mailer']>, id: string): Promise<void> {
  const begun = await inTransaction(db, (trx) => queries.beginAttempt(trx, id, { onlyIdle: true }))
  if (begun === null) return
  try {
    await mailer.send(begun.to, alertMail(mailer, begun))
    await queries.recordAttempt(db, begun, { mail_state: 'sent', mail_problem: null })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const isLast = !error.isRetryable || begun.attempt >= MAIL_ATTEMPTS_MAX
    log.warn({ alert_mail_id: id, attempt: begun.attempt, reason: error.message, isLast }, 'a mail was not sent')
    await queries.recordAttempt(db, begun, { mail_state: isLast ? 'failed' : 'queued', mail_problem: error.message })
  }
}
