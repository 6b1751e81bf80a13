/** Maximum number of attempts of a run; attempts of lost workers do not count. */
export const ATTEMPTS_MAX = 4
/** Delay of the first retry, in milliseconds. */
export const FIRST_RETRY_MS = 15_000
/** Each delay is this many times the previous one. */
const BACKOFF = 4

/**
 * Delay of a run, a mail or a delivery after the attempt with this number, in milliseconds: exponential backoff, or the delay
 * that the other side asks for, up to `maxMs`, plus up to 25 % of jitter.
 */
export function retryDelayMs(
  { firstRetryMs, random }: { firstRetryMs: number; random: () => number },
  attempt: number,
  retryAfterMs: number | undefined,
  maxMs = Number.POSITIVE_INFINITY,
): number {
  const delay = Math.min(maxMs, retryAfterMs ?? firstRetryMs * BACKOFF ** (attempt - 1))
  return delay * (1 + random() / 4)
}
