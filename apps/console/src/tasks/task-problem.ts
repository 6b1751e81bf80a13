import type { TaskRun } from '@switchboard/contract/runs'
import type { RunReason } from '@switchboard/contract/runs/run-reasons'
import type { Task } from '@switchboard/contract/tasks'
import { relativeText } from '#src/lib/format/moment.ts'
import { stateOf } from './task-labels.ts'

/** What mends a task: another place, a resumption, another run, or an active tenant. Null if no button here does. */
type Remedy = 'place' | 'resume' | 'run' | 'reactivate' | null

/** Why a task does not run as it should, as a sentence. */
export type TaskProblem = { tone: 'bad' | 'warn'; lead: string; reason?: string | null; cost?: string; remedy: Remedy }

const OF_THE_PLACE: readonly RunReason[] = ['place_malformed', 'place_obsolete']
/** A new run may succeed. With every other reason it fails again until operators act. */
const TEMPORARY: readonly RunReason[] = [
  'quota_day',
  'quota_minute',
  'unavailable',
  'unreachable',
  'timeout',
  'unreadable',
  'too_large',
  'broken_off',
  'job_lost',
]
const UNTIL_RESUMED = 'It does not run until it is resumed.'

/** The problem of a task, or null. `lastRun` is undefined while unknown. */
export function problemOf(task: Task, lastRun: TaskRun | undefined): TaskProblem | null {
  switch (stateOf(task)) {
    case 'tenant_inactive':
      return {
        tone: 'bad',
        lead: `${task.tenant_name} is inactive`,
        cost: 'Its tasks are skipped.',
        remedy: 'reactivate',
      }
    case 'retrying': {
      if (task.retry_at === null) return null
      const cost = `It tries again ${relativeText(task.retry_at)}.`
      return { tone: 'warn', lead: 'The last attempt failed', reason: lastRun?.message ?? null, cost, remedy: null }
    }
    case 'paused':
      if (task.paused_reason === null)
        return { tone: 'warn', lead: 'Paused by an admin', cost: UNTIL_RESUMED, remedy: 'resume' }
      return {
        tone: 'bad',
        lead: task.paused_reason,
        cost: UNTIL_RESUMED,
        remedy: task.failures_in_a_row > 0 ? 'place' : 'resume',
      }
    case 'late': {
      const due = relativeText(task.waiting_since ?? task.next_run)
      return { tone: 'bad', lead: `Due ${due}, but no worker has started it`, remedy: null }
    }
    case 'failing':
      return {
        tone: 'bad',
        lead: 'The last run failed',
        reason: lastRun?.message ?? null,
        remedy: remedyOf(lastRun?.reason ?? null),
      }
    case 'running':
    case 'on_schedule':
      return null
  }
}

function remedyOf(reason: string | null): Remedy {
  const isOneOf = (reasons: readonly string[]) => reason !== null && reasons.includes(reason)
  if (isOneOf(OF_THE_PLACE)) return 'place'
  return isOneOf(TEMPORARY) ? 'run' : null
}
