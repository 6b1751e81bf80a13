/**
 * Rate limits: calls of each kind that one session may make in a minute. Pages of a list, health checks and sign-out have no
 * limit. The console sends a preview or a password check whenever the typing pauses, so slow typists need many of
 * both.
 */
export const RATE_LIMITS = {
  export: 10,
  whole_list: 10,
  selection: 60,
  preview: 180,
  password_check: 180,
  run: 20,
  stream: 60,
  change: 1_200,
} as const
/** Calls of any kind that one service token may make in a minute, besides the limits above. */
export const TOKEN_RATE_LIMIT = 600
/** Window of the rate limits. */
export const RATE_LIMIT_SECONDS = 60

/** A kind of calls with a rate limit. */
export type LimitedCall = keyof typeof RATE_LIMITS
/** Maximum number of calls per window, by kind. */
export type RateLimits = Readonly<Record<LimitedCall, number>>
