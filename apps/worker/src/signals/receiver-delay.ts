import { retryDelayMs } from '@switchboard/jobs/retry-delay'
import { retryAfterMs } from '@switchboard/server/outbound/retry-after'

/** Longest delay between two attempts, in milliseconds. */
const DELAY_MAX_MS = 6 * 60 * 60 * 1_000

/**
 * Delay in milliseconds after an attempt that a receiver of webhooks or logs did not take. Its `Retry-After`, if it sent one, may
 * be longer than our first delay, but not shorter.
 */
export function receiverDelayMs(
  deps: { firstRetryMs: number; random: () => number },
  { attempt, retryAfter, now }: { attempt: number; retryAfter: string | undefined; now: Date },
): number {
  const askedMs = retryAfterMs(retryAfter, now)
  const chosenMs = askedMs === undefined ? undefined : Math.max(deps.firstRetryMs, askedMs)
  return retryDelayMs(deps, attempt, chosenMs, DELAY_MAX_MS)
}
