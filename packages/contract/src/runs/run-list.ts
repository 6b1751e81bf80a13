import * as z from 'zod/mini'
import { runOutcome, taskRun } from '#src/runs.ts'
import { runReason } from '#src/runs/run-reasons.ts'
import { taskPlace } from '#src/tasks.ts'
import { describeBulk, describeExport, describeList } from '#src/wire/list-endpoints.ts'
import { anyOf, createdFilters, searchTerm } from '#src/wire/lists.ts'

/** Reason to skip a run in a retry: it succeeded, was skipped, or has not ended. */
export const ONLY_FAILED_RUNS = 'Only failed runs are retried.'
/** Reason to skip a failed run in a retry: a later run repeats it, or has succeeded. */
export const RUN_SINCE = 'The task has run again since.'

/** A run in the list of all runs, with its task. */
export const listedRun = z.extend(taskRun, {
  /** Id of the tenant. */
  tenant_id: z.uuid(),
  /** Name of the tenant. */
  tenant_name: z.string(),
  /** The place of the task. */
  extra_data: taskPlace,
})
export type ListedRun = z.infer<typeof listedRun>

const noun = { name: 'runs', plural: 'runs', url: '/api/v1/admin/tasks/runs', tag: 'Tasks' } as const

const list = describeList(noun, {
  description:
    'Runs of all tasks, newest first. Searches tenant, place name, address and place id. `duration` is the time from ' +
    'the first attempt to the end; runs without it have the shortest.',
  row: listedRun,
  sorts: ['created_at', '-created_at', 'duration', '-duration'],
  defaultSort: '-created_at',
  filters: {
    q: searchTerm,
    /** Only runs in these states. */
    outcome: anyOf(runOutcome),
    /** Only runs with these reasons. */
    reason: anyOf(runReason),
    /** Only runs of this tenant. */
    tenant_id: z.optional(z.uuid()),
    ...createdFilters,
  },
})
/**
 * The list of all runs. `retry` runs the task of a failed run once, even if paused. A run that has not failed, and a run
 * whose task has been started by an admin or has succeeded since, is skipped: a repeated call starts nothing twice.
 */
export const runList = {
  ...list,
  ...describeExport(noun, {
    filters: list.filters,
    file: 'runs',
    columns: [
      'id',
      'task_id',
      'tenant_id',
      'tenant_name',
      'place_id',
      'place_name',
      'place_address',
      'trigger',
      'started_by',
      'outcome',
      'reason',
      'message',
      'created_at',
      'started_at',
      'finished_at',
      'duration_ms',
      'attempts',
      'interruptions',
      'retry_at',
      'reviews_returned',
      'reviews_new',
      'reviews_changed',
    ],
  }),
  ...describeBulk(noun, { filters: list.filters, actions: ['retry'] }),
}
export type RunListQuery = z.infer<typeof runList.list.schema.querystring>
