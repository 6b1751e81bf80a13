import type { RunOutcome, RunTrigger, TaskRun } from '@switchboard/contract/runs'
import type { Task, TaskStatus } from '@switchboard/contract/tasks'
import type { ScheduleName } from '@switchboard/contract/tasks/schedule-names'
import { type Frequency, runsPerMonth } from '@switchboard/contract/tasks/schedule'
import type { Tone } from '#src/ui/page/badge.tsx'
import { counted } from '#src/lib/format/count.ts'

export const SCHEDULE_LABELS = { pull_google_review: 'Pull Google Review' } satisfies Record<ScheduleName, string>

/** "Pull Google Review for Harbor Dental" */
export function taskName({ schedule_name, tenant_name }: Task): string {
  return `${SCHEDULE_LABELS[schedule_name]} for ${tenant_name}`
}

export const FREQUENCY_LABELS = {
  monthly: 'Monthly',
  biweekly: 'Bi-Weekly',
  weekly: 'Weekly',
  daily: 'Daily',
} satisfies Record<Frequency, string>

export const FREQUENCY_OPTIONS = Object.entries(FREQUENCY_LABELS).map(([value, label]) => ({ value, label }))

export const STATUS_OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'running', label: 'Running' },
  { value: 'failing', label: 'Last run failed' },
  { value: 'late', label: 'Late' },
] satisfies { value: TaskStatus; label: string }[]

export const OUTCOME_BADGES = {
  queued: { tone: 'info', text: 'Waiting' },
  running: { tone: 'info', text: 'Running' },
  retrying: { tone: 'warn', text: 'Will try again' },
  succeeded: { tone: 'ok', text: 'Succeeded' },
  failed: { tone: 'bad', text: 'Failed' },
  skipped: { tone: 'neutral', text: 'Skipped' },
} satisfies Record<RunOutcome, { tone: Tone; text: string }>

export const TRIGGER_LABELS = { schedule: 'Schedule', manual: 'Manual' } satisfies Record<RunTrigger, string>

/** The result of a run, or the reason of a failure: "5 reviews: 2 new, 1 changed". */
export function runResultText(run: Pick<TaskRun, 'message' | 'reviews_returned' | 'reviews_new' | 'reviews_changed'>) {
  const { message, reviews_returned: returned, reviews_new: fresh, reviews_changed: changed } = run
  if (returned === null) return message ?? ''
  if (returned === 0) return 'No reviews'
  // Without stored reviews there is no comparison.
  if (fresh === null || changed === null) return counted(returned, 'review')
  return `${counted(returned, 'review')}: ${fresh} new, ${changed} changed`
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
