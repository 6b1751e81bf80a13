import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

export type RetriedRun = NonNullable<Awaited<ReturnType<typeof lockRunWithTask>>>

/**
 * A run, with its task locked so that two retries start one run. `has_run_since`: the task has a later run that an admin
 * started, that succeeded or that has not ended.
 */
export async function lockRunWithTask(trx: Transaction<Database>, id: string) {
  await trx
    .selectFrom('tasks')
    .select('id')
    .where('id', '=', (task) => task.selectFrom('runs').select('task_id').where('runs.id', '=', id))
    .forNoKeyUpdate()
    .execute()
  return await trx
    .selectFrom('runs')
    .innerJoin('tasks', 'tasks.id', 'runs.task_id')
    .select(['task_id', 'outcome', 'tenant_id', 'tenant_name', 'tenant_status', 'extra_data'])
    .select((run) =>
      run
        .exists(
          run
            .selectFrom('runs as later')
            .select('later.id')
            .whereRef('later.task_id', '=', 'runs.task_id')
            .whereRef('later.created_at', '>', 'runs.created_at')
            .where('later.outcome', '<>', 'skipped')
            .where(sql<boolean>`(later.trigger = 'manual' or later.outcome <> 'failed')`),
        )
        .as('has_run_since'),
    )
    .where('runs.id', '=', id)
    .executeTakeFirst()
}

/** Inserts a queued run. A unique constraint refuses a second unfinished run of the task. */
export async function insertRetry(db: Kysely<Database>, task_id: string, started_by: string): Promise<string> {
  const { id } = await db
    .insertInto('runs')
    .values({ task_id, started_by, trigger: 'manual', outcome: 'queued' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
