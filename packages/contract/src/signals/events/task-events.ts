import * as z from 'zod/mini'
import { RUN_ENDS } from '#src/activity.ts'
import { taskRun } from '#src/runs.ts'
import { task, taskPlace } from '#src/tasks.ts'
import { became, type EventDescription } from './event-description.ts'

const fields = {
  ...z.pick(task, {
    tenant_name: true,
    schedule_name: true,
    frequency: true,
    run_time: true,
    time_zone: true,
    is_paused: true,
    extra_data: true,
  }).shape,
  ...taskPlace.shape,
}
const runFields = {
  run_id: z.uuid(),
  ...z.pick(taskRun, { trigger: true, attempts: true, reason: true, reviews_new: true, reviews_changed: true }).shape,
}

/** Events about tasks and the ends of their runs. */
export const TASK_EVENTS = {
  'task.created': {
    actions: ['tasks.create'],
    subjects: ['task'],
    description: 'A task was scheduled.',
    fields,
    example: {
      changes: {
        tenant_name: [null, 'Example Bakery'],
        schedule_name: [null, 'pull_google_review'],
        frequency: [null, 'daily'],
        place_id: [null, 'ChIJN1t_tDeuEmsRUsoyG83frY4'],
      },
    },
  },
  'task.paused': {
    actions: ['tasks.update'],
    when: became('is_paused', true),
    subjects: ['task'],
    description: 'A task was paused, by a person or after three failures in a row.',
    fields,
    example: {
      reason: 'Paused after 3 failures in a row: Google Maps does not know this place.',
      changes: { is_paused: [false, true] },
    },
  },
  'task.resumed': {
    actions: ['tasks.update'],
    when: became('is_paused', false),
    subjects: ['task'],
    description: 'A paused task was resumed.',
    fields,
    example: { changes: { is_paused: [true, false] } },
  },
  'task.updated': {
    actions: ['tasks.update'],
    subjects: ['task'],
    description: 'The place or the schedule of a task was changed.',
    fields,
    example: { changes: { frequency: ['daily', 'weekly'] } },
  },
  'task.deleted': {
    actions: ['tasks.delete'],
    subjects: ['task'],
    description: 'A task was deleted. It can be restored for 30 days.',
    fields,
    example: { changes: { tenant_name: ['Example Bakery', null], frequency: ['daily', null] } },
  },
  'task.restored': {
    actions: ['tasks.restore'],
    subjects: ['task'],
    description: 'A deleted task was restored.',
    example: {},
  },
  'task.run_started': {
    actions: ['tasks.run'],
    subjects: ['task'],
    description: 'A person started a run, or retried a failed one. Scheduled runs start without an event.',
    example: {},
  },
  'task.run_succeeded': {
    actions: [RUN_ENDS.succeeded],
    subjects: ['task'],
    description:
      'A run that a person had started succeeded, or the first run after a failure. Other scheduled runs succeed without an event.',
    fields: runFields,
    example: {
      changes: {
        run_id: [null, '3d5b0c7a-1e2f-4d6a-9c1d-8e7f6a5b4c3d'],
        trigger: [null, 'manual'],
        attempts: [null, 1],
        reviews_new: [null, 2],
        reviews_changed: [null, 0],
      },
    },
  },
  'task.run_failed': {
    actions: [RUN_ENDS.failed],
    subjects: ['task'],
    description: 'A run failed, after all its attempts.',
    fields: runFields,
    example: {
      reason: 'Google Maps does not know this place.',
      changes: {
        run_id: [null, '3d5b0c7a-1e2f-4d6a-9c1d-8e7f6a5b4c3d'],
        trigger: [null, 'schedule'],
        attempts: [null, 4],
        reason: [null, 'place_obsolete'],
      },
    },
  },
  'task.run_skipped': {
    actions: [RUN_ENDS.skipped],
    subjects: ['task'],
    description: 'A run that a person had started was skipped. Scheduled runs are skipped without an event.',
    fields: runFields,
    example: {
      reason: 'The tenant is inactive.',
      changes: {
        run_id: [null, '3d5b0c7a-1e2f-4d6a-9c1d-8e7f6a5b4c3d'],
        trigger: [null, 'manual'],
        attempts: [null, 0],
        reason: [null, 'tenant_inactive'],
      },
    },
  },
} as const satisfies Record<string, EventDescription>
