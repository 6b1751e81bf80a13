import { randomUUID } from 'node:crypto'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import { loggingFailures, repeatedFailures } from '@switchboard/server/process/repeated-failures'
import type { Kysely } from 'kysely'
import { createRefusedOrigins, type RefusedOrigin } from './refused-origins.ts'
import type { KeyRecord } from './key-check.queries.ts'
import {
  deleteWriter,
  foldUsage,
  type KeyHour,
  type KeyOrigin,
  type KeyUsage,
  type UsageBatch,
  writeUsage,
} from './key-usage.queries.ts'

/** Interval of the writes, in milliseconds. Counts reach the database within two seconds. */
const WRITE_EVERY_MS = 1_600
/** Writes per write of the counts by hour. In every write they would double the work of the database. */
const WRITES_PER_HOURS = 20
/** Maximum number of rows in one statement. A larger batch would block the event loop and the database for too long. */
const BATCH_MAX = 5_000
/** Folds per write. The second one adds up batches that arrived during the first. */
const FOLDS_MAX = 2
const STOP_TRIES = 3

/** `lastAt` is a `performance.now()`; `ageMs` is computed from it when the batch is sent. */
type Usage = KeyUsage & { lastAt: number }
type Batch = UsageBatch & { usages: Usage[]; origins: (KeyOrigin & RefusedOrigin)[] }

/** Counts checks by key and outcome, and refused origins, and writes the counts to the database in batches. */
export function createKeyUsage(db: Kysely<Database>, log: Log) {
  const writer = randomUUID()
  let usages = new Map<KeyOutcome, Map<string, Usage>>()
  let hours = new Map<string, KeyHour>()
  const refusedOrigins = createRefusedOrigins()
  const unwritten: Batch[] = []
  let number = 0
  const writingOutcomes = repeatedFailures(log, 'writing the usage of API keys')
  let writes = 0
  let writing: Promise<boolean> | null = null
  let writtenAt = performance.now()

  const takeBatches = (areHoursDue: boolean): void => {
    const usageRows = [...usages.values()].flatMap((byId) => [...byId.values()])
    usages = new Map()
    for (const { id, outcome, count } of usageRows)
      hours.getOrInsertComputed(`${id} ${outcome}`, () => ({ id, outcome, count: 0 })).count += count
    const hourRows = areHoursDue ? [...hours.values()] : []
    if (areHoursDue) hours = new Map()
    let origins = refusedOrigins.take().map((refused) => ({ ...refused, ageMs: 0 }))
    while (usageRows.length + hourRows.length > 0) {
      const rows = { usages: usageRows.splice(-BATCH_MAX), hours: hourRows.splice(-BATCH_MAX), origins }
      unwritten.push({ writer, number: (number += 1), ...rows })
      origins = []
    }
  }

  /** Sends the batches in order. A failed batch is sent again under the same number, so it is never counted twice. */
  const send = async (): Promise<boolean> => {
    for (let batch = unwritten[0]; batch !== undefined; batch = unwritten[0]) {
      const now = performance.now()
      for (const row of [...batch.usages, ...batch.origins]) row.ageMs = Math.round(now - row.lastAt)
      try {
        await writeUsage(db, batch)
        writingOutcomes.worked()
      } catch (error) {
        // The batch stays in the queue, and the next write retries it.
        writingOutcomes.failed(error)
        return false
      }
      unwritten.shift()
    }
    return true
  }

  /** Adds up the batches of all processes, also those of killed ones. */
  const fold = loggingFailures(log, 'adding up the usage of API keys', async () => {
    for (let folds = 0; folds < FOLDS_MAX; folds += 1) if ((await foldUsage(db)) === 0) return
  })

  const write = async (areHoursDue: boolean): Promise<boolean> => {
    if (!(await send())) return false
    takeBatches(areHoursDue)
    const isWritten = await send()
    if (isWritten) writtenAt = performance.now()
    await fold()
    return isWritten
  }

  const timer = setInterval(() => {
    if (writing !== null) return
    writes += 1
    writing = write(writes % WRITES_PER_HOURS === 0).finally(() => (writing = null))
  }, WRITE_EVERY_MS)

  return {
    count({ api_key_id: id, environment }: KeyRecord, outcome: KeyOutcome, origin: string | undefined): void {
      const byId = usages.getOrInsertComputed(outcome, () => new Map<string, Usage>())
      const usage = byId.getOrInsertComputed(id, () => ({ id, environment, outcome, count: 0, lastAt: 0, ageMs: 0 }))
      usage.count += 1
      usage.lastAt = performance.now()
      if (outcome === 'origin_refused') refusedOrigins.count(id, origin)
    },

    /** Number of counted checks that are not in the database yet. */
    unwritten(): number {
      const rows = [...usages.values()].flatMap((byId) => [...byId.values()])
      return [...rows, ...unwritten.flatMap((batch) => batch.usages)].reduce((sum, { count }) => sum + count, 0)
    },

    /** Milliseconds since the last write that left no counts unwritten; before the first write, since the start. */
    unwrittenAge: () => performance.now() - writtenAt,

    /** Writes the remaining counts. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await writing
      for (let tries = 0; tries < STOP_TRIES; tries += 1) if (await write(true)) break
      try {
        await deleteWriter(db, writer)
      } catch (error) {
        log.warn({ err: error }, 'deleting this writer of usage failed, another process deletes it a day later')
      }
    },
  }
}
