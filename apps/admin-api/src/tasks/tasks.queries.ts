import { type Task, task, type TaskListQuery, taskPlace } from '@switchboard/contract/tasks'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import * as z from 'zod/mini'
import { type Counter, totalFromCounters } from '#src/lists/counters.queries.ts'
import { NOT_DELETED, presentOrDeleted } from '#src/lists/deletions/deletions.queries.ts'
import { anyHolds, contains, isSearch, searchTerm, updatedSince, whenSet } from '#src/lists/filters.queries.ts'
import { isInState, stateOfTask, unfinishedRun } from '@switchboard/database/attention/task-state.queries'

const COLUMNS = z.keyof(
  z.omit(task, { running_run_id: true, waiting_since: true, retry_at: true, deleted_at: true }),
).options
const PLACE_COLUMNS = z.keyof(taskPlace).options

const COUNTERS: readonly Counter[] = [
  { filters: [], facet: 'status' },
  { filters: ['frequency'], facet: 'frequency' },
]

/** The list of tasks. */
export const listedTasks = {
  matching: matchingTasks,
  total: (query: TaskListQuery) =>
    query.deleted === undefined ? totalFromCounters('tasks', COUNTERS, query) : undefined,
  isCollected: ({ q }: TaskListQuery) => isSearch(q),
}

/** The tasks of the file, with the state, and with the place in separate columns. */
export const exportedTasks = {
  matching: (db: Kysely<Database>, query: FiltersOf<TaskListQuery>) =>
    matchingTasks(db, query)
      .select(PLACE_COLUMNS.map((field) => sql<string | null>`extra_data ->> ${sql.lit(field)}`.as(field)))
      .select(stateOfTask.as('state')),
}

/** The matching tasks, unsorted. */
function matchingTasks(db: Kysely<Database>, query: FiltersOf<TaskListQuery>) {
  const { q, frequency, tenant_id, state, deleted, updated_since } = query
  return db
    .selectFrom(presentOrDeleted('tasks', deleted !== undefined))
    .select([...COLUMNS, 'deleted_at'])
    .select(unfinishedRun)
    .$call(whenSet(frequency, (tasks, value) => tasks.where('frequency', 'in', value)))
    .$call(whenSet(tenant_id, (tasks, value) => tasks.where('tenant_id', '=', value)))
    .$call(whenSet(state, (tasks, values) => tasks.where(anyHolds(values.map(isInState)))))
    .$call(whenSet(updated_since, (tasks, value) => tasks.where(updatedSince(value))))
    .$call(whenSet(searchTerm(q), (tasks, term) => tasks.where(contains(term))))
}

export async function taskById(db: Kysely<Database>, id: string): Promise<Task | undefined> {
  return await db
    .selectFrom('tasks')
    .select(COLUMNS)
    .select(unfinishedRun)
    .select(NOT_DELETED)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The tenant's oldest other task with the same schedule name and place. */
export async function taskOfPlace(
  trx: Transaction<Database>,
  {
    id,
    tenant_id,
    schedule_name,
    place_id,
  }: Pick<Task, 'tenant_id' | 'schedule_name'> & { id?: string; place_id: string },
) {
  return await trx
    .selectFrom('tasks')
    .select(['id', 'tenant_name', 'frequency'])
    .where('tenant_id', '=', tenant_id)
    .where('schedule_name', '=', schedule_name)
    .where(sql`extra_data ->> 'place_id'`, '=', place_id)
    .$call(whenSet(id, (others, value) => others.where('id', '<>', value)))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

export async function insertTask(
  trx: Transaction<Database>,
  { extra_data, ...fields }: Omit<Insertable<Database['tasks']>, 'extra_data'> & Pick<Task, 'extra_data'>,
): Promise<Task> {
  return await trx
    .insertInto('tasks')
    .values({ ...fields, extra_data: JSON.stringify(extra_data) })
    .returning(COLUMNS)
    .returning(unfinishedRun)
    .returning(NOT_DELETED)
    .executeTakeFirstOrThrow()
}

/** Locks a task after its tenant, as a deletion of the task does. */
export async function lockTaskWithTenant(trx: Transaction<Database>, id: string): Promise<Task | undefined> {
  const found = await trx.selectFrom('tasks').select('tenant_id').where('id', '=', id).executeTakeFirst()
  if (found === undefined) return undefined
  await lockOwningTenant(trx, found.tenant_id)
  return await lockTask(trx, id)
}

export async function lockTask(trx: Transaction<Database>, id: string): Promise<Task | undefined> {
  await trx.selectFrom('tasks').select('id').where('id', '=', id).forUpdate().execute()
  return await taskById(trx, id)
}

export async function updateTaskRow(
  trx: Transaction<Database>,
  id: string,
  { extra_data, ...changes }: Omit<Updateable<Database['tasks']>, 'extra_data'> & Pick<Task, 'extra_data'>,
): Promise<Task> {
  return await trx
    .updateTable('tasks')
    .set({ ...changes, extra_data: JSON.stringify(extra_data) })
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .returning(unfinishedRun)
    .returning(NOT_DELETED)
    .executeTakeFirstOrThrow()
}

/** Deletes the data of the last pull after a change of the place. */
export async function deletePull(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('reviews').where('task_id', '=', id).execute()
  await trx.deleteFrom('place_ratings').where('task_id', '=', id).execute()
  await trx.updateTable('tasks').set({ pulled_place: null, are_reviews_kept: null }).where('id', '=', id).execute()
}
