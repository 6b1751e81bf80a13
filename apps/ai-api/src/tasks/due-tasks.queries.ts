import type { Frequency } from '@switchboard/contract/tasks/schedule'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

export type DueTask = {
  id: string
  created_at: string
  frequency: Frequency
  is_paused: boolean
  is_tenant_active: boolean
  /** The database's clock, by which the task is due. */
  at: string
}

/**
 * Locks tasks whose time has come by the database's clock, the longest overdue first. Those that another process has
 * locked are left to it, so that several share the work and none takes a task twice.
 */
export async function lockDueTasks(trx: Transaction<Database>, most: number): Promise<DueTask[]> {
  return await trx
    .selectFrom('tasks')
    .innerJoin('tenants', 'tenants.id', 'tasks.tenant_id')
    .select(['tasks.id', 'tasks.created_at', 'frequency', 'is_paused'])
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

/** Makes a queued run for each task that has none unfinished, and returns those. */
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

/** Notes times at which nothing was done, with the reason. */
export async function noteSkips(trx: Transaction<Database>, skips: Skip[]): Promise<void> {
  if (skips.length === 0) return
  await trx
    .insertInto('runs')
    .values(skips.map((skip) => ({ ...skip, trigger: 'schedule', outcome: 'skipped', finished_at: sql<Date>`now()` })))
    .execute()
}

/** Removes what is kept for a time only: reviews that nobody has seen for `reviewDays`, webhooks that are too old to come again. */
export async function forgetOld(db: Kysely<Database>, reviewDays: number, webhookMs: number): Promise<void> {
  await sql`delete from reviews where last_seen_at < now() - make_interval(days => ${reviewDays})`.execute(db)
  // Twice the window: a timestamp may lie as far ahead as behind.
  await sql`delete from task_webhooks where received_at < now() - make_interval(secs => ${(2 * webhookMs) / 1_000})`.execute(
    db,
  )
}
