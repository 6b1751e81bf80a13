import type { RunOutcome, RunTrigger, TaskRun } from '@switchboard/contract/runs'
import type { Task } from '@switchboard/contract/tasks'
import { placeParts, taskName } from '@switchboard/contract/tasks/task-name'
import { TASK_STATES, taskState, type TaskState } from '@switchboard/contract/tasks/task-state'
import type { ScheduleName } from '@switchboard/contract/tasks/schedule-names'
import { type Frequency, runsPerMonth } from '@switchboard/contract/tasks/schedule'
import { serverNow } from '#src/lib/server-clock.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'

export const SCHEDULE_LABELS = { pull_google_review: 'Pull Google Review' } satisfies Record<ScheduleName, string>

/** The place of a task beside the name of its tenant: only the street of a place that has the same name. */
export function placeBesideTenant({ extra_data, tenant_name }: Pick<Task, 'extra_data' | 'tenant_name'>) {
  const { name, street } = placeParts(extra_data)
  return name === tenant_name && street !== '' ? { name: street, street: '' } : { name, street }
}

/** The same as one text: "Corner Bakery, 12 High St". */
export function placeText(task: Parameters<typeof placeBesideTenant>[0]): string {
  const { name, street } = placeBesideTenant(task)
  return street === '' ? name : `${name}, ${street}`
}

export const FREQUENCY_LABELS = {
  monthly: 'Monthly',
  biweekly: 'Bi-Weekly',
  weekly: 'Weekly',
  daily: 'Daily',
} satisfies Record<Frequency, string>

/** "Weekly", or "Weekly at 09:30, Europe/Berlin". */
export function rhythmText({ frequency, run_time, time_zone }: Pick<Task, 'frequency' | 'run_time' | 'time_zone'>) {
  const often = FREQUENCY_LABELS[frequency]
  return run_time === null ? often : `${often} at ${run_time}, ${time_zone ?? ''}`
}

export const FREQUENCY_OPTIONS = Object.entries(FREQUENCY_LABELS).map(([value, label]) => ({ value, label }))

export const STATE_BADGES = {
  tenant_inactive: { tone: 'bad', text: 'Tenant inactive' },
  retrying: { tone: 'warn', text: 'Retrying' },
  running: { tone: 'info', text: 'Running' },
  paused: { tone: 'warn', text: 'Paused' },
  late: { tone: 'bad', text: 'Late' },
  failing: { tone: 'bad', text: 'Failed' },
  on_schedule: { tone: 'ok', text: 'On schedule' },
} satisfies Record<TaskState, { tone: Tone; text: string }>

export const STATE_OPTIONS = TASK_STATES.map((value) => ({ value, label: STATE_BADGES[value].text }))

/** The state of a shown task, now. */
export function stateOf(task: Task): TaskState {
  return taskState(task, { status: task.tenant_status }, serverNow())
}

/** Why a task is in its state, or null for a state that explains itself. */
export function stateReason(task: Task): string | null {
  switch (stateOf(task)) {
    case 'tenant_inactive':
      return 'The tenant is inactive, so its tasks are skipped.'
    case 'retrying':
      return task.retry_at === null ? null : `Tries again ${relativeText(task.retry_at)}.`
    case 'paused':
      return task.paused_reason ?? 'Paused by an admin. It does not run until it is resumed.'
    case 'late':
      return `Due ${relativeText(task.waiting_since ?? task.next_run)}, but no worker has started it.`
    case 'failing':
      return 'The last run failed.'
    case 'running':
    case 'on_schedule':
      return null
  }
}

/** Whether the schedule starts this task at `next_run`. */
export function hasNextRun(task: Pick<Task, 'tenant_status' | 'is_paused' | 'deleted_at'>): boolean {
  return task.deleted_at === null && task.tenant_status === 'active' && !task.is_paused
}

type ScheduledTask = Pick<
  Task,
  'extra_data' | 'tenant_name' | 'tenant_status' | 'is_paused' | 'deleted_at' | 'next_run'
>

/** The result of a pause or a resumption: "Corner Bakery for Harbor Dental was resumed. Next run: in 6 days." */
export function pausedText(task: ScheduledTask, now = serverNow()): string {
  if (task.is_paused) return `${taskName(task)} was paused. It does not run until it is resumed.`
  const effect = hasNextRun(task)
    ? `Next run: ${relativeText(task.next_run, now)}.`
    : 'Its tenant is inactive, so it is skipped.'
  return `${taskName(task)} was resumed. ${effect}`
}

export const OUTCOME_BADGES = {
  queued: { tone: 'info', text: 'Waiting' },
  running: { tone: 'info', text: 'Running' },
  retrying: { tone: 'warn', text: 'Retrying' },
  succeeded: { tone: 'ok', text: 'Succeeded' },
  failed: { tone: 'bad', text: 'Failed' },
  skipped: { tone: 'neutral', text: 'Skipped' },
} satisfies Record<RunOutcome, { tone: Tone; text: string }>

export const TRIGGER_LABELS = { schedule: 'Schedule', manual: 'Manual' } satisfies Record<RunTrigger, string>

/** The result of a run, or the reason of a failure: "5 reviews: 2 new, 1 changed"; "5 reviews" if all were known. */
export function runResultText(run: Pick<TaskRun, 'message' | 'reviews_returned' | 'reviews_new' | 'reviews_changed'>) {
  const { message, reviews_returned: returned, reviews_new: fresh, reviews_changed: changed } = run
  if (returned === null) return message ?? ''
  if (returned === 0) return 'No reviews'
  // Without stored reviews there is no comparison.
  const news = [fresh && `${fresh} new`, changed && `${changed} changed`].filter(Boolean)
  return [counted(returned, 'review'), ...(news.length === 0 ? [] : [news.join(', ')])].join(': ')
}

/** "840 ms", "4.2 s", "42 s", "3 min 5 s"; empty while unknown. */
export function durationText(ms: number | null): string {
  if (ms === null) return ''
  if (ms < 1_000) return `${ms} ms`
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The calls of a task to Google: one per run. */
export function monthlyCallsText(frequency: Frequency): string {
  const calls = Math.round(runsPerMonth(frequency))
  return `About ${counted(calls, 'call')} to Google a month, one for each run.`
}
