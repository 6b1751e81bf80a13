import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody, lastEdit } from '#src/wire/errors.ts'
import { deletedFilter } from '#src/wire/deletions.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { describeBulk, describeExport, describeList } from '#src/wire/list-endpoints.ts'
import { anyOf, searchTerm, UPDATED_SORTS, updatedFilter } from '#src/wire/lists.ts'
import { placeId } from '#src/places/place-id.ts'
import { frequency, runTime } from '#src/tasks/schedule.ts'
import { timeZone } from '#src/tasks/time-zone.ts'
import { moment, trimmedText } from '#src/wire/text.ts'
import { scheduleName } from '#src/tasks/schedule-names.ts'
import { taskStateName } from '#src/tasks/task-state.ts'
import { tenantStatus } from '#src/tenants/tenant-status.ts'

/** Message for a missing schedule, frequency or tenant. */
export const TASK_FIELDS_REQUIRED = 'Task Schedule, frequency, and tenant are required.'
/** Message for a time of day without a time zone, or the reverse. */
export const TIME_NEEDS_ZONE = 'A time of day needs a time zone, and a time zone a time of day.'
/** Consecutive runs with a permanent failure of the task's place until the task pauses itself. */
export const FAILURES_MAX = 3

const PLACE_TEXT_MAX = 500

/**
 * Input of pull_google_review: the place id and, from a look-up, the name, the address
 * and the query, used to find the new id of a moved place.
 */
export const taskPlace = z.strictObject({
  /** Google's id of the place. */
  place_id: placeId,
  /** Name of the place, from a look-up. */
  place_name: z.optional(trimmedText(PLACE_TEXT_MAX)),
  /** Address of the place, from a look-up. */
  place_address: z.optional(trimmedText(PLACE_TEXT_MAX)),
  /** The query of the look-up, which finds the new id of a moved place. */
  query: z.optional(trimmedText(PLACE_TEXT_MAX)),
})
export type TaskPlace = z.infer<typeof taskPlace>

const lastOutcome = z.enum(['succeeded', 'failed'])
export type LastOutcome = z.infer<typeof lastOutcome>

/** A schedule of a tenant; `version` grows with every change but not with runs. */
export const task = z.object({
  /** Id of the task. */
  id: z.uuid(),
  /** Id of its tenant. */
  tenant_id: z.uuid(),
  /** Name of its tenant. */
  tenant_name: z.string(),
  tenant_status: tenantStatus,
  /** What the task does. There is one kind so far. */
  schedule_name: scheduleName,
  /** How often the task runs. */
  frequency,
  /** Time of day of the runs, `09:30` in `time_zone`. Null: the time of the creation, in UTC. */
  run_time: z.nullable(runTime),
  /** Time zone of `run_time`, such as `Europe/Berlin`. Null without a `run_time`. */
  time_zone: z.nullable(timeZone),
  /** The place that the task pulls. */
  extra_data: taskPlace,
  /** End of the last successful run. */
  last_run: z.nullable(moment),
  /** The next time of the schedule; skipped while the task is paused. */
  next_run: moment,
  /** When the task was created. */
  created_at: moment,
  /** When `version` last grew, or when the task was restored or deleted. Runs do not count. */
  updated_at: moment,
  /** Whether the task skips its runs. */
  is_paused: z.boolean(),
  /** Reason of an automatic pause; null otherwise. */
  paused_reason: z.nullable(z.string()),
  /** Id of the queued or running run, of which there is at most one. Null without one. */
  running_run_id: z.nullable(z.uuid()),
  /** Since when that run waits for a worker; null while running or waiting for a retry. */
  waiting_since: z.nullable(moment),
  /** Time of the next retry after a retryable failure; null while queued or running. */
  retry_at: z.nullable(moment),
  /** Outcome of the last run that was not skipped. */
  last_outcome: z.nullable(lastOutcome),
  /** Number of permanent failures since the last success, without failures of Google or of the platform's key. */
  failures_in_a_row: z.int(),
  /** Grows with every saved change. `If-Match` takes it. */
  version: z.int(),
  /** When the task was deleted. Deleted tasks are in lists with `deleted=true` only. */
  deleted_at: z.nullable(moment),
})
export type Task = z.infer<typeof task>

/**
 * A new schedule of a tenant.
 * @example {"tenant_id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d","schedule_name":"pull_google_review","frequency":"weekly","extra_data":{"place_id":"ChIJN1t_tDeuEmsRUsoyG83frY4"}}
 */
export const createTaskBody = z.strictObject({
  /** Id of the tenant. */
  tenant_id: z.uuid(),
  /** What the task does. There is one kind so far. */
  schedule_name: scheduleName,
  /** How often the task runs. */
  frequency,
  /** Time of day of the runs, with `time_zone`. Missing or null: the time of the creation, in UTC. */
  run_time: z.optional(z.nullable(runTime)),
  /** Time zone of `run_time`, such as `Europe/Berlin`. */
  time_zone: z.optional(z.nullable(timeZone)),
  /** The place to pull. */
  extra_data: taskPlace,
})
export type CreateTaskBody = z.infer<typeof createTaskBody>

/** Fields of a task to change. */
export const updateTaskBody = z.partial(
  z.strictObject({
    /** Whether the task skips its runs. */
    is_paused: z.boolean(),
    /** How often the task runs. */
    frequency,
    /** Time of day of the runs, with `time_zone`. Null: the time of the creation, in UTC. */
    run_time: z.nullable(runTime),
    /** Time zone of `run_time`, such as `Europe/Berlin`. */
    time_zone: z.nullable(timeZone),
    /** The place to pull. */
    extra_data: taskPlace,
  }),
)
export type UpdateTaskBody = z.infer<typeof updateTaskBody>

/** The answer to a stale `If-Match`: the current task, its last editor and the time of the edit. */
export const staleTask = z.extend(errorBody, {
  /** The record as it is now. */
  current: task,
  ...lastEdit,
})

/** The answer when the tenant already has a task of this schedule for this place. `task_id` is the existing task. */
export const taskConflict = z.extend(errorBody, {
  /** Id of the existing task. */
  task_id: z.optional(z.uuid()),
})

const url = '/api/v1/admin/tasks'
const tags = ['Tasks']
const params = z.strictObject({
  /** Id of the task. */
  task_id: z.uuid(),
})
const noun = { name: 'tasks', plural: 'tasks', url, tag: 'Tasks' } as const

const list = describeList(noun, {
  description: 'Tasks of all tenants, newest first. Searches tenant, schedule, place name, address and id.',
  row: task,
  sorts: ['tenant_name', '-tenant_name', 'next_run', '-next_run', 'created_at', '-created_at', ...UPDATED_SORTS],
  defaultSort: '-created_at',
  filters: {
    q: searchTerm,
    /** Only tasks of these frequencies. */
    frequency: anyOf(frequency),
    /** Only tasks of this tenant. */
    tenant_id: z.optional(z.uuid()),
    /** Only tasks in these states. */
    state: anyOf(taskStateName),
    deleted: deletedFilter,
    updated_since: updatedFilter,
  },
})
/** The list of tasks. */
export const taskList = {
  ...list,
  ...describeExport(noun, {
    filters: list.filters,
    file: 'tasks',
    // A CSV file has no nested values: the fields of `extra_data` are columns.
    columns: [
      'id',
      'tenant_id',
      'tenant_name',
      'tenant_status',
      'state',
      'schedule_name',
      'frequency',
      'run_time',
      'time_zone',
      'last_run',
      'next_run',
      'created_at',
      'is_paused',
      'paused_reason',
      'last_outcome',
      'failures_in_a_row',
      'version',
      'place_id',
      'place_name',
      'place_address',
      'query',
    ],
  }),
  ...describeBulk(noun, {
    filters: list.filters,
    actions: ['resume', 'pause', 'delete', 'restore'],
    sensitive: ['delete', 'restore'],
  }),
}
export type TaskListQuery = z.infer<typeof taskList.list.schema.querystring>

/** A task, with its version as `ETag`. 404 without such a task. */
export const getTask = endpoint('GET', `${url}/:task_id`, {
  config: { capability: 'view' },
  operationId: 'tasks.get',
  summary: 'Read a task',
  tags,
  params,
  response: { 200: task },
})

/**
 * The first run is one period from now, or at the next `run_time` in `time_zone`. 404 without such a tenant, 409 when the
 * tenant already has this task for this place.
 */
export const createTask = endpoint('POST', `${url}/schedule`, {
  config: { capability: 'edit' },
  operationId: 'tasks.create',
  summary: 'Schedule a task',
  tags,
  body: createTaskBody,
  response: { 201: task, 409: taskConflict },
})

/**
 * Pauses, resumes, or changes frequency, time, time zone or place. Resuming and a new place reset the count of failures. With `If-Match:
 * "version"` a stale version gets 412. 409 when the tenant has another task for the new place.
 */
export const updateTask = endpoint('PUT', `${url}/:task_id`, {
  config: { capability: 'edit' },
  operationId: 'tasks.update',
  summary: 'Change a task',
  tags,
  params,
  headers: ifMatchHeaders,
  body: updateTaskBody,
  response: { 200: task, 409: taskConflict, 412: staleTask },
})

/** Deletes the task with its runs and reviews. The task can be restored for 30 days. 404 for a task of another tenant. */
export const deleteTask = endpoint('DELETE', `${url}/:tenant_id/schedule/:task_id`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'tasks.delete',
  summary: 'Delete a task',
  tags,
  params: z.strictObject({
    /** Id of the tenant. */
    tenant_id: z.uuid(),
    /** Id of the task. */
    task_id: z.uuid(),
  }),
  response: {
    200: z.object({
      /** Always true. */
      success: z.boolean(),
      /** The result as a sentence. */
      message: z.string(),
    }),
  },
})

/**
 * Restores a task within 30 days of the deletion, with its runs and reviews. A task that is not deleted does not
 * change. 404 without such a task, deleted or not, 409 when the tenant has another task for the place now, and while
 * the tenant is deleted.
 */
export const restoreTask = endpoint('POST', `${url}/:task_id/restore`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'tasks.restore',
  summary: 'Restore a deleted task',
  tags,
  params,
  response: { 200: task },
})
