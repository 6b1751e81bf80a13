import { ALERT_OPENED_ACTION, ALERT_RESOLVED_ACTION } from '@switchboard/contract/activity'
import type { Transaction } from 'kysely'
import { addedFields, type AuditEntry, writeAudits } from '#src/audit/audit.queries.ts'
import { WORKER } from '#src/audit/system-actors.ts'
import { databaseTime } from '#src/database-clock.ts'
import type { Database } from '#src/tables.ts'
import type { ChangedAlert } from './alerts.queries.ts'

/** Entries in one statement, which has a maximum number of parameters. */
const BATCH = 1_000

/** Writes an entry about each alert that was opened or resolved, in the transaction of the change. */
export async function auditAlerts(trx: Transaction<Database>, changed: readonly ChangedAlert[]): Promise<void> {
  if (changed.length === 0) return
  const at = await databaseTime(trx)
  for (let from = 0; from < changed.length; from += BATCH)
    await writeAudits(trx, at, WORKER, changed.slice(from, from + BATCH).map(entryOf))
}

function entryOf(alert: ChangedAlert): AuditEntry {
  const { id, kind, text, target_type, target_id, target_name, tenant_id } = alert
  const isOpened = alert.change === 'opened'
  return {
    action: isOpened ? ALERT_OPENED_ACTION : ALERT_RESOLVED_ACTION,
    reason: text,
    ...(target_type !== null && { target: { type: target_type, id: target_id, name: target_name, tenant_id } }),
    changes: addedFields({ alert_id: id, kind, ...(alert.is_replaced && { is_replaced: true }) }),
  }
}
