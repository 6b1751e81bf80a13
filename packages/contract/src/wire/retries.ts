/** Retries of a failed query. Bulk changes and imports are retried too, other changes are not. */
export const QUERY_RETRIES = 3
/** Backoff before the first retry. */
export const RETRY_DELAY_MS = 1_000
/** Longest backoff. */
export const RETRY_DELAY_MAX_MS = 30_000
/** Lifetime of fetched data in the cache. */
export const CACHE_LIFETIME_MS = 5 * 60 * 1_000

/** The wait in ms after the given number of earlier retries: doubled each time, capped. */
export function retryDelayMs(retries: number): number {
  return Math.min(RETRY_DELAY_MS * 2 ** retries, RETRY_DELAY_MAX_MS)
}
