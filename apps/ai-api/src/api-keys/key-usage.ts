import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import { repeatedFailures } from '@switchboard/server/process/repeated-failures'
import type { Kysely } from 'kysely'
import { createRefusedOrigins, type RefusedOrigin } from './refused-origins.ts'
import { addUsage, type KeyCalls, type KeyOrigin } from './key-usage.queries.ts'

/** Interval of the writes, in milliseconds. Counts reach the database within two seconds. */
const WRITE_EVERY_MS = 1_600
/** The interval while more keys are in use than one statement takes: the counts of a key in ten seconds share a write. */
const BUSY_WRITE_EVERY_MS = 10_000
/** Maximum number of rows in one statement. A longer statement would keep other processes from popular keys for too long. */
const BATCH_MAX = 1_000
const STOP_TRIES = 3

/** `lastAt` is a `performance.now()`; `ageMs` is computed from it when the batch is sent. */
type Calls = KeyCalls & { lastAt: number }
type Batch = { calls: Calls[]; origins: (KeyOrigin & RefusedOrigin)[]; transaction?: string | undefined }

/** Counts checks by key and outcome, and refused origins, and adds the counts to the database in batches. */
export function createKeyUsage(db: Kysely<Database>, log: Log) {
  let calls = new Map<KeyOutcome, Map<string, Calls>>()
  const refusedOrigins = createRefusedOrigins()
  const unwritten: Batch[] = []
  const writingUsage = repeatedFailures(log, 'writing the usage of API keys')
  let writing: Promise<boolean> | null = null
  let writtenAt = performance.now()
  const isBusy = () => [...calls.values()].reduce((rows, byId) => rows + byId.size, 0) > BATCH_MAX

  const takeBatches = (): void => {
    const rows = [...calls.values()].flatMap((byId) => [...byId.values()])
    calls = new Map()
    let origins = refusedOrigins.take().map((refused) => ({ ...refused, ageMs: 0 }))
    while (rows.length > 0) {
      unwritten.push({ calls: rows.splice(-BATCH_MAX), origins })
      origins = []
    }
  }

  const send = async (): Promise<boolean> => {
    for (let batch = unwritten[0]; batch !== undefined; batch = unwritten[0]) {
      const now = performance.now()
      for (const row of [...batch.calls, ...batch.origins]) row.ageMs = Math.round(now - row.lastAt)
      try {
        await addUsage(db, batch)
        writingUsage.worked()
      } catch (error) {
        // The batch stays in the queue, and the next write retries it. New calls are counted in memory until then.
        writingUsage.failed(error)
        return false
      }
      unwritten.shift()
    }
    return true
  }

  const write = async (): Promise<boolean> => {
    if (!(await send())) return false
    takeBatches()
    const isWritten = await send()
    if (isWritten) writtenAt = performance.now()
    return isWritten
  }

  const timer = setInterval(() => {
    if (isBusy() && performance.now() - writtenAt < BUSY_WRITE_EVERY_MS) return
    writing ??= write().finally(() => (writing = null))
  }, WRITE_EVERY_MS)

  return {
    count(id: string, outcome: KeyOutcome, origin: string | undefined): void {
      const byId = calls.getOrInsertComputed(outcome, () => new Map<string, Calls>())
      const ofKey = byId.getOrInsertComputed(id, () => ({ id, outcome, count: 0, lastAt: 0, ageMs: 0 }))
      ofKey.count += 1
      ofKey.lastAt = performance.now()
      if (outcome === 'origin_refused') refusedOrigins.count(id, origin)
    },

    /** Number of counted checks that are not in the database yet. */
    unwritten(): number {
      const rows = [...calls.values()].flatMap((byId) => [...byId.values()])
      return [...rows, ...unwritten.flatMap((batch) => batch.calls)].reduce((sum, { count }) => sum + count, 0)
    },

    /** Milliseconds since the last write that left no counts unwritten; before the first write, since the start. */
    unwrittenAge: () => performance.now() - writtenAt,

    /** Writes the remaining counts. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await writing
      for (let tries = 0; tries < STOP_TRIES; tries += 1) if (await write()) return
    },
  }
}
