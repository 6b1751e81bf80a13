import { RUN_ENDS } from '@switchboard/contract/activity'
import { addedFields, type AuditEntry, type AuditTarget } from './audit.queries.ts'

/** A run that has ended. `wasFailing`: the last run of its task that was not skipped had failed. */
type EndedRun = {
  id: string
  trigger: 'schedule' | 'manual'
  attempts: number
  wasFailing: boolean
  outcome: keyof typeof RUN_ENDS
  reason: string | null
  message: string | null
  reviews_new?: number | null
  reviews_changed?: number | null
}

/**
 * The entry about the end of a run: of one that failed, of one that a person had started, and of the first success after a
 * failure. Null for all others, which succeed or are skipped day after day: their entries would bury what people did, and
 * the log keeps its entries for longer than runs are kept.
 */
export function runEndEntry(task: AuditTarget, run: EndedRun): AuditEntry | null {
  const { id, trigger, attempts, wasFailing, outcome, reason, message, reviews_new, reviews_changed } = run
  if (outcome !== 'failed' && trigger === 'schedule' && !(outcome === 'succeeded' && wasFailing)) return null
  return {
    action: RUN_ENDS[outcome],
    target: task,
    ...(message !== null && { reason: message }),
    changes: addedFields({
      run_id: id,
      trigger,
      attempts,
      ...(reason !== null && { reason }),
      ...(outcome === 'succeeded' && { reviews_new, reviews_changed }),
    }),
  }
}
