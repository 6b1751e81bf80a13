/** Reasons to skip a run: a stable code and its message. */
export const SKIPS = {
  task_paused: 'The task is paused.',
  tenant_inactive: 'The tenant is inactive.',
  already_running: 'The run before was still under way.',
  place_changed: 'The place was changed while the run was under way.',
} as const

export type SkipReason = keyof typeof SKIPS
