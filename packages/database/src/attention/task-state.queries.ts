import { LATE_AFTER_MINUTES, type TaskState } from '@switchboard/contract/tasks/task-state'
import type { Database } from '#src/tables.ts'
import { type ExpressionBuilder, sql } from 'kysely'

// `taskState` of the contract in SQL, for rows of `tasks`, by the clock of the database. A test compares them.

const LATE_SINCE = sql`now() - interval '${sql.raw(String(LATE_AFTER_MINUTES))} minutes'`

/** Sets instead of a look-up for each row, because few runs are unfinished. */
const WITH_RUN = sql`(select task_id from runs where finished_at is null)`
const WITH_RETRY = sql`(select task_id from runs where finished_at is null and outcome = 'retrying')`
const WITH_LATE_RUN = sql`(select task_id from runs where outcome = 'queued' and created_at <= ${LATE_SINCE})`

// The same conditions as in the partial indexes.
const IS_PAUSED = sql`tasks.is_paused and tasks.tenant_status = 'active'`
const IS_SCHEDULED = sql`not tasks.is_paused and tasks.tenant_status = 'active'`
const IS_FAILED = sql`tasks.last_outcome = 'failed'`
const IS_OVERDUE = sql`tasks.next_run <= ${LATE_SINCE} and tasks.id not in ${WITH_RUN}`
const IS_IN_TIME = sql`tasks.next_run > ${LATE_SINCE} and tasks.id not in ${WITH_RUN}`

/** The state of a task. */
export const stateOfTask = sql<TaskState>`case
  when tasks.tenant_status <> 'active' then 'tenant_inactive'
  when tasks.id in ${WITH_RETRY} then 'retrying'
  when tasks.id in ${WITH_LATE_RUN} then 'late'
  when tasks.id in ${WITH_RUN} then 'running'
  when tasks.is_paused then 'paused'
  when tasks.next_run <= ${LATE_SINCE} then 'late'
  when ${IS_FAILED} then 'failing'
  else 'on_schedule'
end`

/** The columns of a task's queued or running run, which decide on its state in `taskState`. */
export function unfinishedRun(row: ExpressionBuilder<Database, 'tasks'>) {
  const run = row.selectFrom('runs').whereRef('runs.task_id', '=', 'tasks.id').where('runs.finished_at', 'is', null)
  return [
    run.select('runs.id').as('running_run_id'),
    run.where('outcome', '=', 'queued').select('runs.created_at').as('waiting_since'),
    run.select('runs.retry_at').as('retry_at'),
  ]
}

/** Late tasks: `(id, at)`, with the time at which they were due. */
export const lateTasks = sql`(
  select id, next_run as at from tasks where ${IS_SCHEDULED} and ${IS_OVERDUE}
  union all
  select task_id, runs.created_at from runs join tasks on tasks.id = task_id
  where outcome = 'queued' and runs.created_at <= ${LATE_SINCE} and tenant_status = 'active'
)`

/** Whether a task is in a state, written so that an index finds the tasks. */
export function isInState(state: TaskState) {
  return sql<boolean>`(${CONDITIONS[state]})`
}

const CONDITIONS = {
  tenant_inactive: sql`tasks.tenant_status = 'inactive'`,
  retrying: sql`tasks.tenant_status = 'active' and tasks.id in ${WITH_RETRY}`,
  running: sql`tasks.tenant_status = 'active' and tasks.id in ${WITH_RUN} and tasks.id not in ${WITH_RETRY}
    and tasks.id not in ${WITH_LATE_RUN}`,
  paused: sql`${IS_PAUSED} and tasks.id not in ${WITH_RUN}`,
  late: sql`tasks.id in (select id from ${lateTasks} as late)`,
  failing: sql`${IS_SCHEDULED} and ${IS_FAILED} and ${IS_IN_TIME}`,
  on_schedule: sql`${IS_SCHEDULED} and tasks.last_outcome is distinct from 'failed' and ${IS_IN_TIME}`,
} satisfies Record<TaskState, unknown>
