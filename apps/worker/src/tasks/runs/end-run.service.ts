import { RUN_ENDS } from '@switchboard/contract/activity'
import { addedFields, auditedTask, writeAudit } from '@switchboard/database/audit/audit.queries'
import { databaseTime } from '@switchboard/database/database-clock'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import { WORKER } from '#src/worker-actor.ts'
import * as queries from './runs.queries.ts'

export type LockedTask = NonNullable<Awaited<ReturnType<typeof queries.lockTaskOfRun>>>
export type LockedRun = NonNullable<Awaited<ReturnType<typeof queries.lockRun>>>

/** Ends a locked run of a locked task, and writes it to the audit log if it is told there. */
export async function endRun(
  trx: Transaction<Database>,
  task: LockedTask,
  run: LockedRun,
  end: queries.RunEnd,
): Promise<void> {
  await queries.endRun(trx, run.id, end)
  if (!isTold(task, run, end)) return
  const { outcome, reason, message, reviews_new, reviews_changed } = end
  await writeAudit(trx, await databaseTime(trx), WORKER, {
    action: RUN_ENDS[outcome],
    target: auditedTask(task),
    ...(message !== null && { reason: message }),
    changes: addedFields({
      run_id: run.id,
      trigger: run.trigger,
      attempts: run.attempts,
      ...(reason !== null && { reason }),
      ...(outcome === 'succeeded' && { reviews_new, reviews_changed }),
    }),
  })
}

/**
 * Failed runs, runs that a person has started, and the first success after a failure. All others succeed or are skipped day
 * after day: their entries would bury what people did, and the log keeps entries for longer than runs are kept.
 */
function isTold(
  { last_outcome }: LockedTask,
  { trigger }: LockedRun,
  { outcome }: Pick<queries.RunEnd, 'outcome'>,
): boolean {
  if (outcome === 'failed' || trigger === 'manual') return true
  return outcome === 'succeeded' && last_outcome === 'failed'
}
