import { IMPORT_CALL_MAX, type ImportAnswer, type ImportOutcome } from '@switchboard/contract/wire/imports'
import { withRetries } from '#src/lib/with-retries.ts'
import type { ImportedNoun } from './imported-nouns.ts'
import type { ImportRow } from './match-columns.ts'

/** Longest body of a call. The servers take 256 kB. */
const BODY_MAX_BYTES = 200_000

/** Sends rows to the server, which only checks them in a dry run. */
export type SendRows = (body: { dry_run: boolean; rows: Record<string, string>[] }) => Promise<ImportAnswer>

/** A row with its result. `isDone` is false for a row that is checked and can be created. */
export type RowResult = { row: ImportRow; outcome: ImportOutcome; reason: string | null; isDone: boolean }

/**
 * Imports rows in batches, or checks them in a dry run, and yields the results of each batch until aborted. Retryable
 * failures are retried, because a row can be sent again. Throws a `CallError` after the last retry.
 */
export async function* importResults(
  { columns }: ImportedNoun,
  rows: readonly ImportRow[],
  { send, isDryRun, signal }: { send: SendRows; isDryRun: boolean; signal: AbortSignal },
): AsyncGenerator<RowResult[]> {
  const labels = new Map(columns.map(({ name, label }) => [name, label]))
  for (const batch of batchesOf(rows)) {
    if (signal.aborted) return
    const sent = batch.filter(({ problem }) => problem === null)
    const body = { dry_run: isDryRun, rows: sent.map(({ cells }) => cells) }
    const { results } = sent.length === 0 ? { results: [] } : await withRetries(() => send(body), signal)
    if (results.length !== sent.length) throw new Error('The server answered other rows.')
    const bySent = new Map(sent.map((row, at) => [row, results[at]]))
    yield batch.map((row): RowResult => {
      const result = bySent.get(row)
      if (result === undefined) return { row, outcome: 'refused', reason: row.problem, isDone: true }
      const reasons = result.problems.map(({ column, message }) => `${labels.get(column ?? '') ?? 'Row'}: ${message}`)
      const isDone = !isDryRun || result.outcome !== 'created'
      return { row, outcome: result.outcome, reason: reasons.length === 0 ? null : reasons.join(' '), isDone }
    })
  }
}

/** Batches of at most `IMPORT_CALL_MAX` rows that fit into one call. */
function batchesOf(rows: readonly ImportRow[]): ImportRow[][] {
  const batches: ImportRow[][] = []
  let batch: ImportRow[] = []
  let bytes = 0
  for (const row of rows) {
    const size = sizeOf(row)
    if (batch.length === IMPORT_CALL_MAX || (batch.length > 0 && bytes + size > BODY_MAX_BYTES)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(row)
    bytes += size
  }
  return batch.length === 0 ? batches : [...batches, batch]
}

function sizeOf({ cells }: ImportRow): number {
  return new TextEncoder().encode(JSON.stringify(cells)).length + 1
}
