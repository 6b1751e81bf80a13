import { auditedTask, writeAudit } from '@switchboard/database/audit/audit.queries'
import { runEndEntry } from '@switchboard/database/audit/run-end'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { databaseTime } from '@switchboard/database/database-clock'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import * as queries from './runs.queries.ts'

export type LockedTask = NonNullable<Awaited<ReturnType<typeof queries.lockTaskOfRun>>>
export type LockedRun = NonNullable<Awaited<ReturnType<typeof queries.lockRun>>>

/** Ends a locked run of a locked task, with the entry of the audit log about it, if there is one. */
export async function endRun(
  trx: Transaction<Database>,
  task: LockedTask,
  run: LockedRun,
  end: queries.RunEnd,
): Promise<void> {
  await queries.endRun(trx, run.id, end)
  const entry = runEndEntry(auditedTask(task), { ...run, ...end, wasFailing: task.last_outcome === 'failed' })
  if (entry !== null) await writeAudit(trx, await databaseTime(trx), WORKER, entry)
}
