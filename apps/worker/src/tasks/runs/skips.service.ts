import type { RunReason } from '@switchboard/contract/runs/run-reasons'

/** Reasons to skip a run: a stable code and its message. */
export const SKIPS = {
  task_paused: 'The task is paused.',
  tenant_inactive: 'The tenant is inactive.',
  already_running: 'The previous run was not finished.',
  place_changed: 'The place was changed during the run.',
} as const satisfies Partial<Record<RunReason, string>>

export type SkipReason = keyof typeof SKIPS

/** The reason to skip a run of the task, or null. A manual run ignores the pause. */
export function skipReason(
  { is_paused, is_tenant_active }: { is_paused: boolean; is_tenant_active: boolean },
  trigger: 'schedule' | 'manual',
): SkipReason | null {
  if (!is_tenant_active) return 'tenant_inactive'
  return is_paused && trigger === 'schedule' ? 'task_paused' : null
}
