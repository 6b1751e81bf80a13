import { QUERY_RETRIES, retryDelayMs } from '@switchboard/contract/wire/retries'
import { isRetryable } from './call-error.ts'

/** Repeats an idempotent call after failures worth a retry, until aborted. Throws its last error. */
export async function withRetries<Answer>(
  work: () => Promise<Answer>,
  signal?: AbortSignal,
  isWorthRetry: (error: unknown) => boolean = isRetryable,
): Promise<Answer> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isWorthRetry(error) || failures >= QUERY_RETRIES || signal?.aborted === true) throw error
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(failures)))
    }
  }
}
