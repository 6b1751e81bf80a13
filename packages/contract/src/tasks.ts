import * as z from 'zod/mini'
import { bulkAnswer, bulkBody, selectedIds } from '#src/wire/bulk.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { errorBody, errorResponses } from '#src/wire/errors.ts'
import { CSV_TYPE, csvFile } from '#src/wire/exports.ts'
import { listQuery } from '#src/wire/lists.ts'
import { placeId } from './places.ts'
import { frequency } from '#src/tasks/schedule.ts'
import { moment, text } from '#src/wire/text.ts'
import { scheduleName } from '#src/tasks/schedule-names.ts'

/** Message for a missing schedule, frequency or tenant. */
export const TASK_FIELDS_REQUIRED = 'Task Schedule, frequency, and tenant are required.'
/** Consecutive runs with a permanent failure of the task's place until the task pauses itself. */
export const FAILURES_MAX = 3

export const PLACE_TEXT_MAX = 500

/**
 * Input of pull_google_review: the place id and, from a look-up, the name, the address
 * and the query, used to find the new id of a moved place.
 */
export const taskPlace = z.strictObject({
  place_id: placeId,
  place_name: z.optional(text(PLACE_TEXT_MAX).check(z.trim())),
  place_address: z.optional(text(PLACE_TEXT_MAX).check(z.trim())),
  query: z.optional(text(PLACE_TEXT_MAX).check(z.trim())),
})
export type TaskPlace = z.infer<typeof taskPlace>

const lastOutcome = z.enum(['succeeded', 'failed'])
export type LastOutcome = z.infer<typeof lastOutcome>

/** A schedule of a tenant; `version` grows with every change but not with runs. */
export const task = z.object({
  id: z.uuid(),
  tenant_id: z.uuid(),
  tenant_name: z.string(),
  schedule_name: scheduleName,
  frequency,
  extra_data: taskPlace,
  /** When a run last succeeded. */
  last_run: z.nullable(moment),
  /** The next time of the schedule; skipped while the task is paused. */
  next_run: moment,
  created_at: moment,
  is_paused: z.boolean(),
  /** Reason of an automatic pause; null otherwise. */
  paused_reason: z.nullable(z.string()),
  /** The queued or running run; at most one. */
  running_run_id: z.nullable(z.uuid()),
  /** Time of the next retry after a retryable failure; null while queued or running. */
  retry_at: z.nullable(moment),
  /** Outcome of the last run, skipped runs aside. */
  last_outcome: z.nullable(lastOutcome),
  /** Permanent failures since the last success, without failures of Google or of the platform's key. */
  failures_in_a_row: z.int(),
  version: z.int(),
})
export type Task = z.infer<typeof task>

/** Columns that the list can be sorted by; a leading `-` means descending. */
export const TASK_SORTS = ['tenant_name', '-tenant_name', 'next_run', '-next_run', 'created_at', '-created_at'] as const
export type TaskSort = (typeof TASK_SORTS)[number]
/** Default sort order: newest first. */
export const TASK_SORT_DEFAULT = '-created_at' satisfies TaskSort

/** Values of the status filter: not paused, paused, with a run in progress, with a failed last run, late. */
export const TASK_STATUSES = ['active', 'paused', 'running', 'failing', 'late'] as const
export const taskStatus = z.enum(TASK_STATUSES)
export type TaskStatus = z.infer<typeof taskStatus>

/** Searches tenant, schedule, place name, address and id. */
export const taskListQuery = listQuery(TASK_SORTS, {
  frequency: z.optional(frequency),
  tenant_id: z.optional(z.uuid()),
  status: z.optional(taskStatus),
})
export type TaskListQuery = z.infer<typeof taskListQuery>
/** The list's query without its page. */
const allTasksQuery = z.omit(taskListQuery, { limit: true, cursor: true })

/**
 * A new schedule of a tenant.
 * @example {"tenant_id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d","schedule_name":"pull_google_review","frequency":"weekly","extra_data":{"place_id":"ChIJN1t_tDeuEmsRUsoyG83frY4"}}
 */
export const createTaskBody = z.strictObject({
  tenant_id: z.uuid(),
  schedule_name: scheduleName,
  frequency,
  extra_data: taskPlace,
})
export type CreateTaskBody = z.infer<typeof createTaskBody>

export const updateTaskBody = z.partial(z.strictObject({ is_paused: z.boolean(), frequency, extra_data: taskPlace }))
export type UpdateTaskBody = z.infer<typeof updateTaskBody>

/** The answer to a stale `If-Match`: the current task, its last editor and the time of the edit. */
export const staleTask = z.extend(errorBody, {
  current: task,
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(moment),
})
export type StaleTask = z.infer<typeof staleTask>

/** The answer when the tenant already has a task of this schedule for this place. `task_id` is the existing task. */
export const taskConflict = z.extend(errorBody, { task_id: z.optional(z.uuid()) })

/** What can be done with many at once. */
export const TASK_BULK_ACTIONS = ['resume', 'pause', 'delete'] as const
export type TaskBulkAction = (typeof TASK_BULK_ACTIONS)[number]

const url = '/api/v1/admin/tasks'
const tags = ['Tasks']
const params = z.strictObject({ task_id: z.uuid() })

/** Tasks of all tenants, newest first. */
export const listTasks = {
  method: 'GET',
  url,
  config: { limit: 'whole_list' },
  schema: {
    operationId: 'tasks.list',
    summary: 'List tasks',
    tags,
    querystring: taskListQuery,
    response: { 200: z.array(task), ...errorResponses },
  },
} as const satisfies Endpoint

/** All that match, as CSV. A POST because the audit log keeps who took what. */
export const exportTasks = {
  method: 'POST',
  url: `${url}/export`,
  config: { limit: 'export' },
  schema: {
    operationId: 'tasks.export',
    summary: 'Export tasks as CSV',
    tags,
    produces: [CSV_TYPE],
    querystring: allTasksQuery,
    response: { 200: csvFile, ...errorResponses },
  },
} as const satisfies Endpoint

/** The ids of all that match, to act on them. 409 when there are more than `BULK_MAX`. */
export const selectTasks = {
  method: 'GET',
  url: `${url}/ids`,
  config: { limit: 'selection' },
  schema: {
    operationId: 'tasks.select',
    summary: 'Select tasks',
    tags,
    querystring: allTasksQuery,
    response: { 200: selectedIds, ...errorResponses },
  },
} as const satisfies Endpoint

/**
 * Does the same with many, each as the call for one does it: in a transaction of its own, audited, refused for the
 * same reasons. What it should be already, or gone already, counts as done, so that a call may be repeated. With a
 * query, a row that does not match it any more is refused.
 */
export const bulkTasks = {
  method: 'POST',
  url: `${url}/bulk`,
  schema: {
    operationId: 'tasks.bulk',
    summary: 'Change many tasks',
    tags,
    querystring: allTasksQuery,
    body: bulkBody(TASK_BULK_ACTIONS),
    response: { 200: bulkAnswer, ...errorResponses },
  },
} as const satisfies Endpoint

/** A task. 404 without such a task. */
export const getTask = {
  method: 'GET',
  url: `${url}/:task_id`,
  schema: {
    operationId: 'tasks.get',
    summary: 'Read a task',
    tags,
    params,
    response: { 200: task, ...errorResponses },
  },
} as const satisfies Endpoint

/**
 * The first run is one period from now. 404 without such a tenant, 409 when the tenant has this task for this place
 * already.
 */
export const createTask = {
  method: 'POST',
  url: `${url}/schedule`,
  schema: {
    operationId: 'tasks.create',
    summary: 'Schedule a task',
    tags,
    body: createTaskBody,
    response: { 201: task, 409: taskConflict, ...errorResponses },
  },
} as const satisfies Endpoint

/**
 * Pauses, resumes, or changes frequency or place. Resuming and a new place forget earlier failures. With `If-Match:
 * "version"` a stale version gets 412 and `staleTask`. 409 when the tenant has another task for the new place.
 */
export const updateTask = {
  method: 'PUT',
  url: `${url}/:task_id`,
  schema: {
    operationId: 'tasks.update',
    summary: 'Change a task',
    tags,
    params,
    headers: z.object({
      'if-match': z.optional(z.string().check(z.regex(/^"\d{1,9}"$/, 'If-Match takes a version in quotes.'))),
    }),
    body: updateTaskBody,
    response: { 200: task, 409: taskConflict, 412: staleTask, ...errorResponses },
  },
} as const satisfies Endpoint

/** Deletes the task with its runs and reviews. 404 for a task of another tenant. */
export const deleteTask = {
  method: 'DELETE',
  url: `${url}/:tenant_id/schedule/:task_id`,
  schema: {
    operationId: 'tasks.delete',
    summary: 'Delete a task',
    tags,
    params: z.strictObject({ tenant_id: z.uuid(), task_id: z.uuid() }),
    response: { 200: z.object({ success: z.boolean(), message: z.string() }), ...errorResponses },
  },
} as const satisfies Endpoint
