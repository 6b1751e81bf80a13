import type { Database } from '@switchboard/database/tables'
import { sql, type Transaction } from 'kysely'

/**
 * Locks due tasks, the longest overdue first. Skips tasks locked by another worker, so that workers share the due tasks
 * and no task is taken twice. `at` is the time of the transaction, by the database's clock.
 */
export async function lockDueTasks(trx: Transaction<Database>, most: number) {
  return await trx
    .selectFrom('tasks')
    .innerJoin('tenants', 'tenants.id', 'tasks.tenant_id')
    .select(['tasks.id', 'tasks.created_at', 'frequency', 'run_time', 'time_zone', 'is_paused'])
    .select((row) => row('tenants.status', '=', 'active').$castTo<boolean>().as('is_tenant_active'))
    .select(sql<string>`now()`.as('at'))
    .where('next_run', '<=', sql<string>`now()`)
    .orderBy('next_run')
    .orderBy('tasks.id')
    .limit(most)
    .forNoKeyUpdate('tasks')
    .skipLocked()
    .execute()
}

export async function moveNextRuns(trx: Transaction<Database>, next: { id: string; next_run: string }[]) {
  await sql`
    update tasks set next_run = moved.next_run
    from unnest(${next.map(({ id }) => id)}::uuid[], ${next.map(({ next_run }) => next_run)}::timestamptz[])
      as moved (id, next_run)
    where tasks.id = moved.id`.execute(trx)
}

/** Inserts and returns a queued run for each task without an unfinished run. */
export async function queueRuns(
  trx: Transaction<Database>,
  taskIds: string[],
): Promise<{ id: string; task_id: string }[]> {
  if (taskIds.length === 0) return []
  return await trx
    .insertInto('runs')
    .values(taskIds.map((task_id) => ({ task_id, trigger: 'schedule', outcome: 'queued' })))
    .onConflict((conflict) => conflict.column('task_id').where('finished_at', 'is', null).doNothing())
    .returning(['id', 'task_id'])
    .execute()
}

export type Skip = { task_id: string; reason: string; message: string }

/** Inserts skipped runs with their reasons. */
export async function insertSkips(trx: Transaction<Database>, skips: Skip[]): Promise<void> {
  if (skips.length === 0) return
  await trx
    .insertInto('runs')
    .values(skips.map((skip) => ({ ...skip, trigger: 'schedule', outcome: 'skipped', finished_at: sql<Date>`now()` })))
    .execute()
}
