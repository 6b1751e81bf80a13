import type { PulledPlace } from '@switchboard/contract/reviews'
import type { RunReason } from '@switchboard/contract/runs/run-reasons'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/** Locks the task of a run and reads the fields that decide whether it may run. */
export async function lockTaskOfRun(trx: Transaction<Database>, runId: string) {
  return await trx
    .selectFrom('tasks')
    .innerJoin('tenants', 'tenants.id', 'tasks.tenant_id')
    .select(['tasks.id', 'tasks.tenant_id', 'tasks.tenant_name', 'extra_data', 'is_paused'])
    .select(['last_outcome', 'failures_in_a_row'])
    .select((row) => row('tenants.status', '=', 'active').$castTo<boolean>().as('is_tenant_active'))
    .where('tasks.id', '=', (row) => row.selectFrom('runs').select('task_id').where('id', '=', runId))
    .forNoKeyUpdate('tasks')
    .executeTakeFirst()
}

/** Lock the task first: deleting a tenant takes its locks in the same order. */
export async function lockRun(trx: Transaction<Database>, runId: string) {
  return await trx
    .selectFrom('runs')
    .select(['id', 'trigger', 'outcome', 'attempts', 'interruptions'])
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirst()
}

/** Unfinished runs due to begin at least two minutes ago, oldest first. */
export async function oldestUnfinishedRuns(db: Kysely<Database>, most: number): Promise<string[]> {
  const since = sql<Date>`coalesce(retry_at, created_at)`
  const runs = await db
    .selectFrom('runs')
    .select('id')
    .where('finished_at', 'is', null)
    .where(since, '<', sql<Date>`now() - interval '2 minutes'`)
    .orderBy(since)
    .limit(most)
    .execute()
  return runs.map(({ id }) => id)
}

export async function beginAttempt(
  trx: Transaction<Database>,
  runId: string,
  attempt: { attempts: number; interruptions: number },
): Promise<void> {
  await trx
    .updateTable('runs')
    .set({ ...attempt, outcome: 'running', retry_at: null, started_at: sql<Date>`coalesce(started_at, now())` })
    .where('id', '=', runId)
    .execute()
}

export type RunEnd = {
  outcome: 'succeeded' | 'failed' | 'skipped'
  reason: RunReason | null
  message: string | null
  reviews_returned?: number
  reviews_new?: number | null
  reviews_changed?: number | null
}

export async function endRun(trx: Transaction<Database>, runId: string, end: RunEnd): Promise<void> {
  await trx
    .updateTable('runs')
    .set({ ...end, retry_at: null, finished_at: sql<Date>`now()` })
    .where('id', '=', runId)
    .execute()
}

export async function postponeRun(
  trx: Transaction<Database>,
  runId: string,
  { waitMs, ...why }: { waitMs: number; reason: RunReason; message: string },
): Promise<void> {
  const retry_at = sql<Date>`now() + make_interval(secs => ${waitMs / 1_000})`
  await trx
    .updateTable('runs')
    .set({ ...why, outcome: 'retrying', retry_at })
    .where('id', '=', runId)
    .execute()
}

/** Records a successful run. `place` has the stored fields; null when nothing from Google is stored. */
export async function recordSuccess(
  trx: Transaction<Database>,
  taskId: string,
  place: PulledPlace | null,
): Promise<void> {
  await trx
    .updateTable('tasks')
    .set({
      last_run: sql<Date>`now()`,
      last_outcome: 'succeeded',
      failures_in_a_row: 0,
      pulled_place: place === null ? null : JSON.stringify(place),
      are_reviews_kept: place !== null,
    })
    .where('id', '=', taskId)
    .execute()
}

/** Moves the next time of a task forward to at most `hours` from now. Later times follow the schedule again. */
export async function runAgainWithin(trx: Transaction<Database>, taskId: string, hours: number): Promise<void> {
  await trx
    .updateTable('tasks')
    .set({ next_run: sql<Date>`least(next_run, now() + make_interval(hours => ${hours}::int))` })
    .where('id', '=', taskId)
    .execute()
}

export async function recordFailure(trx: Transaction<Database>, taskId: string, failuresInARow: number): Promise<void> {
  await trx
    .updateTable('tasks')
    .set({ last_outcome: 'failed', failures_in_a_row: failuresInARow })
    .where('id', '=', taskId)
    .execute()
}

export async function pauseTask(trx: Transaction<Database>, taskId: string, paused_reason: string): Promise<void> {
  await trx
    .updateTable('tasks')
    .set({ is_paused: true, paused_reason })
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', taskId)
    .execute()
}
