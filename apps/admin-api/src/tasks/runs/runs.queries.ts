import { RUN_SORT_DEFAULT, type TaskRun, taskRun, type TaskRunListQuery } from '@switchboard/contract/runs'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { whenSet } from '#src/lists/filters.queries.ts'
import { type Page, readPage } from '#src/lists/page.queries.ts'
import { allRows, inOrder, orderOf } from '#src/lists/rows.queries.ts'

const COLUMNS = z.keyof(z.omit(taskRun, { duration_ms: true })).options

/** From the first attempt to the end; null before, and for a run that was skipped. */
export const durationMs = sql<number | null>`(extract(epoch from finished_at - started_at) * 1000)::int`.as(
  'duration_ms',
)

export async function pageOfRuns(
  db: Kysely<Database>,
  taskId: string,
  query: TaskRunListQuery & { limit: number },
): Promise<Page<TaskRun>> {
  return await readPage(db, runsOfTask(db, taskId, query), orderOf(query.sort ?? RUN_SORT_DEFAULT), query)
}

export function allRuns(db: Kysely<Database>, taskId: string, query: TaskRunListQuery): AsyncGenerator<TaskRun[]> {
  return allRows(db, inOrder(runsOfTask(db, taskId, query), orderOf(query.sort ?? RUN_SORT_DEFAULT)))
}

function runsOfTask(db: Kysely<Database>, taskId: string, { id, outcome }: TaskRunListQuery) {
  return db
    .selectFrom('runs')
    .select(COLUMNS)
    .select(durationMs)
    .where('task_id', '=', taskId)
    .$call(whenSet(id, (query, value) => query.where('id', '=', value)))
    .$call(whenSet(outcome, (query, value) => query.where('outcome', 'in', value)))
}
