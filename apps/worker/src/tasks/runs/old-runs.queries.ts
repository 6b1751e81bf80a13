import { RUNS_KEPT_DAYS, RUNS_KEPT_MAX } from '@switchboard/contract/runs'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/** Rows per statement. The next minute deletes more. */
const DELETED_MAX = 10_000

/** Deletes runs a year after their creation, but not the last run of a task, which shows the state of the task. */
export async function deleteOldRuns(db: Kysely<Database>): Promise<void> {
  await sql`delete from runs where id = any(array(
    select id from runs where created_at < now() - make_interval(days => ${RUNS_KEPT_DAYS}) and exists (
      select from runs as newer where newer.task_id = runs.task_id and newer.created_at > runs.created_at
    )
    order by created_at limit ${sql.lit(DELETED_MAX)}
  ))`.execute(db)
}

/** Deletes all runs of a task except the newest 200. */
export async function deleteRunsBeyondLimit(trx: Transaction<Database>, taskId: string): Promise<void> {
  await sql`delete from runs where id = any(array(
    select id from runs where task_id = ${taskId} order by created_at desc, id desc offset ${sql.lit(RUNS_KEPT_MAX)}
  ))`.execute(trx)
}
