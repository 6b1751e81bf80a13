import { RUN_SORT_DEFAULT, type TaskRun, taskRun, type TaskRunListQuery } from '@switchboard/contract/runs'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { allRows } from '#src/lists/all-rows.queries.ts'
import { whenSet } from '#src/lists/filters.queries.ts'
import { type Page, readPage } from '#src/lists/page.queries.ts'

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
  return await readPage(db, runsOfTask(db, taskId, query), { ...query, sort: query.sort ?? RUN_SORT_DEFAULT })
}

export function allRuns(db: Kysely<Database>, taskId: string, query: TaskRunListQuery): AsyncGenerator<TaskRun[]> {
  const direction = (query.sort ?? RUN_SORT_DEFAULT).startsWith('-') ? 'desc' : 'asc'
  return allRows(db, runsOfTask(db, taskId, query).orderBy('created_at', direction).orderBy('id', direction))
}

function runsOfTask(db: Kysely<Database>, taskId: string, { id, outcome }: TaskRunListQuery) {
  return db
    .selectFrom('runs')
    .select(COLUMNS)
    .select(durationMs)
    .where('task_id', '=', taskId)
    .$call(whenSet(id, (query, value) => query.where('id', '=', value)))
    .$call(whenSet(outcome, (query, value) => query.where('outcome', '=', value)))
}
