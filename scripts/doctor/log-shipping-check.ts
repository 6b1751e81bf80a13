import { SINK_LATE_MINUTES } from '@switchboard/contract/signals/log-sinks'
import { logSinks } from '@switchboard/database/audit/log-sinks.queries'
import { dueMonth } from '@switchboard/database/audit/retention.queries'
import type { Database } from '@switchboard/database/tables'
import type { Settings } from '@switchboard/server/settings/env'
import type { Kysely } from 'kysely'
import { ok, warning } from './finding.ts'

/** Whether each log sink gets the audit log, and whether AUDIT_RETENTION can delete what it should. */
export async function checkLogShipping(db: Kysely<Database>, { auditRetention }: Pick<Settings, 'auditRetention'>) {
  const sinks = await logSinks(db)
  const due = auditRetention === null ? null : await dueMonth(db, auditRetention)
  const held = due === null || due.problem === null ? '' : ` AUDIT_RETENTION cannot delete ${due.month}: ${due.problem}`
  const on = sinks.filter(({ is_on }) => is_on)
  const failing = on.find(({ problem }) => problem !== null)
  if (failing !== undefined)
    return warning(
      `The log sink ${JSON.stringify(failing.name)} fails since ${failing.failing_since}: ${failing.problem}${held}`,
    )
  const late = on.find(({ seconds_behind }) => seconds_behind > SINK_LATE_MINUTES * 60)
  if (late !== undefined)
    return warning(
      `The log sink ${JSON.stringify(late.name)} is ${late.seconds_behind} s behind. Start a worker${late.kind === 'file' ? ' with AUDIT_FILES' : ''}, or read its log.${held}`,
    )
  if (held !== '') return warning(held.trim())
  if (auditRetention !== null && on.length === 0)
    return warning(
      'AUDIT_RETENTION is set, but deletes nothing, because no log sink is on (docs/operate/log-shipping.md).',
    )
  return ok(on.length === 0 ? 'No log sink is on.' : `All ${on.length} log sinks that are on have the audit log.`)
}
