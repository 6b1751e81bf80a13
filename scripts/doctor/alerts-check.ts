import { alertFigures } from '@switchboard/database/alerts/alert-figures.queries'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { ok, warning } from './finding.ts'

/** A worker looks for causes every ten seconds. The alert of Prometheus has the same limit. */
const LATE_SECONDS = 300

/** Whether a worker looks for causes of alerts, and whether the mails about them were sent. */
export async function checkAlerts(db: Kysely<Database>) {
  const { open, evaluated_at, evaluated_seconds, mails_failed, mail_problem } = await alertFigures(db)
  if (evaluated_at === 0) return warning('No worker has looked for causes yet. Start a worker.')
  const seconds = Math.round(evaluated_seconds)
  if (seconds > LATE_SECONDS)
    return warning(`No worker has looked for causes for ${seconds} s. Start a worker, or read its log.`)
  if (mails_failed > 0)
    return warning(`${mails_failed} mails of the last day were not sent: ${mail_problem} Check the mail server.`)
  const count = Object.values(open).reduce((sum, one) => sum + one, 0)
  return ok(`${count} are open. A worker looked for causes ${seconds} s ago.`)
}
