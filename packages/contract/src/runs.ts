import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { anyOf, listQuery } from '#src/wire/lists.ts'
import { moment, text } from '#src/wire/text.ts'

/**
 * The states of a run. `queued`: waits for a worker. `running`: calls Google. `retrying`: a retryable failure, with the
 * next attempt at `retry_at`. The others are final. `skipped`: due while the task was paused or the tenant inactive.
 */
export const runOutcome = z.enum(['queued', 'running', 'retrying', 'succeeded', 'failed', 'skipped'])
export type RunOutcome = z.infer<typeof runOutcome>

/** Older runs are deleted, except each task's last run. */
export const RUNS_KEPT_DAYS = 365
/** Number of runs kept for each task: the newest. */
export const RUNS_KEPT_MAX = 200

/** Who started the run: the schedule, or a member. */
export const runTrigger = z.enum(['schedule', 'manual'])
export type RunTrigger = z.infer<typeof runTrigger>

/** One execution of a task. */
export const taskRun = z.object({
  /** Id of the run. */
  id: z.uuid(),
  /** Id of the task. */
  task_id: z.uuid(),
  trigger: runTrigger,
  /** Email of the member who started a manual run; null for a scheduled run. */
  started_by: z.nullable(z.string()),
  /** State of the run. `queued`: waits for a worker. `retrying`: the next attempt is at `retry_at`. The others are final. */
  outcome: runOutcome,
  /** When the run was queued. */
  created_at: moment,
  /** When the first attempt began. Null until then. */
  started_at: z.nullable(moment),
  /** When the run ended. Null until then. */
  finished_at: z.nullable(moment),
  /** Time from the first attempt to the end, in milliseconds. */
  duration_ms: z.nullable(z.int()),
  /** Number of attempts. */
  attempts: z.int(),
  /** Number of attempts interrupted by the loss of their worker. */
  interruptions: z.int(),
  /** When the next attempt begins. Null unless the run is `retrying`. */
  retry_at: z.nullable(moment),
  /** Code of the reason of a failure, a retry or a skip. Null for other runs. */
  reason: z.nullable(z.string()),
  /** The reason as a sentence. Null without one. */
  message: z.nullable(z.string()),
  /** Number of returned reviews, at most five. Null for a run that did not succeed. */
  reviews_returned: z.nullable(z.int()),
  /** Number of reviews that earlier runs had not returned. Null for a run that did not succeed. */
  reviews_new: z.nullable(z.int()),
  /** Number of reviews that have changed since the run before. Null for a run that did not succeed. */
  reviews_changed: z.nullable(z.int()),
})
export type TaskRun = z.infer<typeof taskRun>

const RUN_SORTS = ['created_at', '-created_at'] as const
/** Default order of runs: newest first. */
export const RUN_SORT_DEFAULT = '-created_at' satisfies (typeof RUN_SORTS)[number]
/** A page of the runs of a task, or the run with an id. */
export const taskRunListQuery = z.omit(
  listQuery(RUN_SORTS, {
    /** Only the run with this id. */
    id: z.optional(z.uuid()),
    /** Only runs in these states. */
    outcome: anyOf(runOutcome),
  }),
  { q: true },
)
export type TaskRunListQuery = z.infer<typeof taskRunListQuery>

/** "Run task now", from the console to admin-api and on to ai-api. */
export const runTaskBody = z.strictObject({
  /** Id of the task, as in the path. */
  task_id: z.uuid(),
  /** `id` of auth.me. */
  super_admin_id: z.uuid(),
  /** When the person asked for the run, at most five minutes ago. */
  timestamp: moment,
})
export type RunTaskBody = z.infer<typeof runTaskBody>

/** The result of a run. `running`: the run continues after the answer, because it takes longer than `RUN_WAIT_MS` milliseconds. */
export const runResult = z.object({
  /** The result. */
  result: z.object({
    /** Whether the run succeeded, failed or is still running. */
    status: z.enum(['success', 'failed', 'running']),
    /** Whether the run succeeded. */
    success: z.boolean(),
    /** The status in the words of the AI API. */
    execution_status: z.enum(['executed', 'failed', 'running']),
    /** The result as a sentence. */
    message: z.string(),
    /** Id of the run. */
    run_id: z.uuid(),
  }),
})
export type RunResult = z.infer<typeof runResult>

/**
 * What an AI API reports about a run. Other AI APIs than ours may send any of the first four fields, with other states.
 */
const runReport = z
  .object({
    /** Whether the run succeeded, failed or is still running. */
    status: z.nullish(z.string()),
    /** Whether the run succeeded. */
    success: z.nullish(z.boolean()),
    /** The status in the words of the AI API. */
    execution_status: z.nullish(z.string()),
    /** The result as a sentence. */
    message: z.nullish(z.string()),
    /** Id of the run. */
    run_id: z.nullish(z.string()),
  })
  .check(
    z.refine(({ status, success, execution_status, message }) =>
      [status, success, execution_status, message].some((field) => field !== undefined && field !== null),
    ),
  )
/** The answer to "Run task now": the report, wrapped in `result` or not. */
export const runAnswer = z.union([
  z.object({
    /** The report of the AI API. */
    result: runReport,
  }),
  runReport,
])
export type RunAnswer = z.infer<typeof runAnswer>

/** The id of a signed message (standardwebhooks.com). */
export const WEBHOOK_ID_HEADER = 'webhook-id'
/** The time of the message, in seconds since 1970. */
export const WEBHOOK_TIMESTAMP_HEADER = 'webhook-timestamp'
/** The signatures of id, time and body. */
export const WEBHOOK_SIGNATURE_HEADER = 'webhook-signature'
/**
 * The body from admin-api to ai-api, with the request and the address of the admin for the audit log, and the service token
 * that acts for the admin.
 */
export const executeTaskBody = z.extend(runTaskBody, {
  /** Who asked for the run, for the audit log. */
  actor: z.optional(
    z.strictObject({
      /** Id of the request to admin-api. */
      request_id: z.nullable(text(128)),
      /** Network address of the person. */
      address: z.nullable(text(100)),
      /** The service token that acts for the person. */
      token: z.optional(
        z.strictObject({
          /** Id of the token. */
          id: z.uuid(),
          /** Name of the token. */
          name: text(400),
        }),
      ),
    }),
  ),
})
export type ExecuteTaskBody = z.infer<typeof executeTaskBody>

/** Largest difference between a webhook's timestamp and the server's clock, in milliseconds. */
export const WEBHOOK_WINDOW_MS = 5 * 60 * 1_000
/** How long the webhook waits for its run before it answers `running`, in milliseconds. */
export const RUN_WAIT_MS = 10_000

/** Refusal of a second run of a task. */
export const TASK_ALREADY_RUNNING = 'This task is already running.'
/** Refusal of a run of an inactive tenant. */
export const TASK_OF_INACTIVE_TENANT = 'The tenant is inactive, so its tasks are skipped. Activate the tenant first.'
/** Refusal of a repeated webhook. */
export const RUN_ALREADY_REQUESTED = 'This run has already been requested.'
/** Refusal of a webhook outside of `WEBHOOK_WINDOW_MS`. */
export const TIMESTAMP_OFF = 'The time sent is more than five minutes off. Check the clock of this computer.'
/** The sentences of ai-api that admin-api passes on to the console. */
export const RUN_REFUSALS: readonly string[] = [
  TASK_ALREADY_RUNNING,
  TASK_OF_INACTIVE_TENANT,
  RUN_ALREADY_REQUESTED,
  TIMESTAMP_OFF,
]

const url = '/api/v1/admin/tasks/:task_id'
const params = z.strictObject({
  /** Id of the task. */
  task_id: z.uuid(),
})

/**
 * Runs the task now, even if paused. 403 unless `super_admin_id` is the `id` of auth.me, 409 for a running task and for a task of an
 * inactive tenant, 502 without an answer of ai-api.
 */
export const runTask = endpoint('POST', `${url}/run`, {
  config: { capability: 'edit', limit: 'run' },
  operationId: 'tasks.run',
  summary: 'Run a task now',
  tags: ['Tasks'],
  params,
  body: runTaskBody,
  response: { 200: runAnswer },
})

/** The runs of a task, newest first. */
export const listTaskRuns = endpoint('GET', `${url}/runs`, {
  config: { capability: 'view', limit: 'whole_list' },
  operationId: 'task_runs.list',
  summary: 'List the runs of a task',
  tags: ['Tasks'],
  params,
  querystring: taskRunListQuery,
  response: { 200: z.array(taskRun) },
})

/**
 * Runs the task and waits for its end. 401 unless `webhook-signature` signs the id, the time and the body
 * with a shared secret, 400 for a time more than five minutes off, 409 for a repeated id or timestamp, for a task
 * already running and for a task of an inactive tenant, 404 without such a task.
 */
export const executeTask = endpoint('POST', '/webhooks/execute-task', {
  config: { public: true },
  operationId: 'webhooks.execute_task',
  summary: 'Run a task now',
  tags: ['Webhooks'],
  headers: z.object({
    [WEBHOOK_ID_HEADER]: text(100).check(z.minLength(1)),
    [WEBHOOK_TIMESTAMP_HEADER]: z.string().check(z.regex(/^\d{1,11}$/)),
    [WEBHOOK_SIGNATURE_HEADER]: text(1_000),
  }),
  body: executeTaskBody,
  response: { 200: runResult },
})
