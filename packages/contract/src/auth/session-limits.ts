/**
 * Calls of each kind that one session may make in a minute. Pages of a list, health checks and sign-out have no
 * limit. The console sends a preview or a password check whenever the typing pauses, so slow typists need many of
 * both.
 */
export const SESSION_LIMITS = {
  export: 10,
  whole_list: 10,
  selection: 60,
  preview: 180,
  password_check: 180,
  run: 20,
  change: 1_200,
} as const
/** The window of the limits. */
export const SESSION_LIMIT_SECONDS = 60

export type LimitedCall = keyof typeof SESSION_LIMITS
export type SessionLimits = Readonly<Record<LimitedCall, number>>
