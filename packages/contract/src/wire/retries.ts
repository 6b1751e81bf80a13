/** How often a failed query is asked again. Changes never are. */
export const QUERY_RETRIES = 3
/** The first wait before asking again, and the longest. */
export const RETRY_DELAY_MS = 1_000
export const RETRY_DELAY_MAX_MS = 30_000
/** How long fetched data counts as fresh. */
export const CACHE_LIFETIME_MS = 5 * 60 * 1_000

/** The wait in ms after the given number of earlier retries: doubled each time, capped. */
export function retryDelayMs(retries: number): number {
  return Math.min(RETRY_DELAY_MS * 2 ** retries, RETRY_DELAY_MAX_MS)
}
