import { listedRun, type RunListQuery } from '@switchboard/contract/runs/run-list'
import type { TaskPlace } from '@switchboard/contract/tasks'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { contains, createdFrom, createdTo, isSearch, searchTerm, whenSet } from '#src/lists/filters.queries.ts'
import { durationMs } from './runs.queries.ts'

const COLUMNS = z.keyof(
  z.omit(listedRun, { duration_ms: true, tenant_id: true, tenant_name: true, extra_data: true }),
).options

/** The order of the duration, as in the index: runs without a duration come before all others. */
const lasted = sql<object>`(
  select coalesce(extract(epoch from finished_at - started_at), -1) as duration
)`.as<'lasted'>('lasted')

/** The list of all runs. No index has the order of the runs of some tasks. */
export const listedRuns = {
  matching: matchingRuns,
  isCollected: ({ q, tenant_id }: RunListQuery) => tenant_id !== undefined || isSearch(q),
}

/** The runs of the file, with the place in separate columns. */
export const exportedRuns = {
  matching: (db: Kysely<Database>, query: FiltersOf<RunListQuery>) =>
    matchingRuns(db, query).select(
      (['place_id', 'place_name', 'place_address'] as const).map((field) =>
        ofTask<string | null>(sql`extra_data ->> ${sql.lit(field)}`).as(field),
      ),
    ),
}

/** The matching runs, unsorted. The search covers the tenants and the places of their tasks. */
function matchingRuns(db: Kysely<Database>, query: FiltersOf<RunListQuery>) {
  const { q, outcome, reason, tenant_id, created_from, created_to } = query
  return db
    .selectFrom('runs')
    .select(COLUMNS)
    .select([
      durationMs,
      ofTask<string>(sql`tenant_id`).as('tenant_id'),
      ofTask<string>(sql`tenant_name`).as('tenant_name'),
      ofTask<TaskPlace>(sql`extra_data`).as('extra_data'),
    ])
    .innerJoinLateral(lasted, (join) => join.onTrue())
    .$call(whenSet(outcome, (runs, value) => runs.where('outcome', 'in', value)))
    .$call(whenSet(reason, (runs, value) => runs.where('reason', 'in', value)))
    .$call(
      whenSet(tenant_id, (runs, id) =>
        runs.where('task_id', 'in', (run) => taskIds(run).where('tasks.tenant_id', '=', id)),
      ),
    )
    .$call(
      whenSet(searchTerm(q), (runs, term) => runs.where('task_id', 'in', (run) => taskIds(run).where(contains(term)))),
    )
    .$call(whenSet(created_from, (runs, value) => runs.where(createdFrom(value))))
    .$call(whenSet(created_to, (runs, value) => runs.where(createdTo(value))))
}

/** A value of the task of a run. Subqueries look it up for the rows of the page; a join would run for all matching rows. */
function ofTask<Value>(value: RawBuilder<unknown>) {
  return sql<Value>`(select ${value} from tasks where tasks.id = runs.task_id)`
}

function taskIds(run: ExpressionBuilder<Database, 'runs'>) {
  return run.selectFrom('tasks').select('tasks.id')
}
