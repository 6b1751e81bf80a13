import { RUN_REASONS, type RunReason } from '@switchboard/contract/runs/run-reasons'
import type { TaskRun } from '@switchboard/contract/runs'
import { relativeText } from '#src/lib/format/moment.ts'
import { OUTCOME_BADGES, runResultText, TRIGGER_LABELS } from '#src/tasks/task-labels.ts'

const REASON_LABELS = {
  place_malformed: 'Place ID malformed',
  place_obsolete: 'Place ID no longer valid',
  quota_day: 'Daily quota used up',
  quota_minute: 'Quota per minute reached',
  unavailable: 'Fault of Google Maps',
  unreachable: 'Google Maps unreachable',
  timeout: 'Timeout of Google Maps',
  unreadable: 'Answer unreadable',
  too_large: 'Answer too large',
  not_configured: 'Google Maps not configured',
  key_invalid: 'Google key wrong',
  service_disabled: 'Places API not enabled',
  billing_disabled: 'Google billing off',
  project_suspended: 'Google project suspended',
  key_service_blocked: 'Google key not for places',
  key_address_blocked: 'Google key of another address',
  key_referrer_blocked: 'Google key for browsers',
  refused: 'Google key refused',
  bad_request: 'Request not understood',
  redirected: 'Redirected',
  broken_off: 'Interrupted several times',
  job_lost: 'Job lost',
  task_paused: 'Task paused',
  tenant_inactive: 'Tenant inactive',
  already_running: 'Already running',
  place_changed: 'Place changed',
} satisfies Record<RunReason, string>

/** The first reason of each group of the filter, in the order of the contract. */
const REASON_GROUPS: Partial<Record<RunReason, string>> = {
  place_malformed: 'The place has to change',
  quota_day: 'Google cannot answer for a while',
  not_configured: 'An operator has to act',
  task_paused: 'The run was skipped',
}

export const REASON_OPTIONS = reasonOptions()

export const OUTCOME_OPTIONS = Object.entries(OUTCOME_BADGES).map(([value, { text }]) => ({ value, label: text }))

/** "Schedule", or "Manual, ada@…". */
export function triggerText({ trigger, started_by }: TaskRun): string {
  return started_by === null ? TRIGGER_LABELS[trigger] : `${TRIGGER_LABELS[trigger]}, ${started_by}`
}

/** The result of a run, or the reason of its failure with the time of the next attempt. */
export function resultText(run: TaskRun): string {
  const text = runResultText(run)
  return run.retry_at === null ? text : `${text} It tries again ${relativeText(run.retry_at)}.`
}

/** The start of the first attempt, or of the wait for it. */
export function startOf({ started_at, created_at }: Pick<TaskRun, 'started_at' | 'created_at'>): string {
  return started_at ?? created_at
}

function reasonOptions() {
  let group = ''
  return RUN_REASONS.map((value) => {
    group = REASON_GROUPS[value] ?? group
    return { value, label: REASON_LABELS[value], group }
  })
}
