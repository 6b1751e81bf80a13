import type { BulkAnswer, BulkResult } from '@switchboard/contract/wire/bulk'
import { withRetries } from '#src/lib/with-retries.ts'

/** Small enough for several progress updates a second. */
const IDS_PER_CALL = 50

/**
 * Acts on all ids in batches and yields the results of each batch, until aborted. Retryable failures are
 * retried, because bulk calls are idempotent. Throws a `CallError` after the last retry.
 */
export async function* bulkResults(
  ids: readonly string[],
  act: (ids: string[]) => Promise<BulkAnswer>,
  signal: AbortSignal,
): AsyncGenerator<BulkResult[]> {
  let left = ids
  while (left.length > 0 && !signal.aborted) {
    const { results } = await withRetries(() => act(left.slice(0, IDS_PER_CALL)), signal)
    if (results.length === 0) throw new Error('The server processed no row.')
    yield results
    left = left.slice(results.length)
  }
}
