import { randomUUID } from 'node:crypto'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import type { Kysely } from 'kysely'
import type { KnownRequests } from './known-requests.ts'
import { forgetWriter, type KeyUse, type UseBatch, writeUse } from './api-keys.queries.ts'
import { createTextMap, type TextMap } from './text-map.ts'

/** How often what was counted is written, so that it is at most two seconds late. */
const WRITE_EVERY_MS = 1_600
/** Most rows in one statement, so that neither this process nor the database is held up by it. */
const BATCH_MAX = 5_000
const STOP_TRIES = 3

/** `ageMs` is reckoned when it is sent. */
type Use = KeyUse & { lastAt: number }
type Batch = UseBatch & { uses: Use[] }

/** Counts how checks end, and writes the counts to the database in batches, with those of requests that are known. */
export function createKeyUse(db: Kysely<Database>, log: Log, requests: Pick<KnownRequests, 'takeUses'>) {
  const writer = randomUUID()
  let uses = new Map<KeyOutcome, TextMap<Use>>()
  const unwritten: Batch[] = []
  let number = 0
  let writing: Promise<boolean> | null = null

  const add = (id: string, outcome: KeyOutcome, count: number, lastAt: number) => {
    const byId = uses.getOrInsertComputed(outcome, () => createTextMap())
    const use = byId.get(id)
    if (use === undefined) byId.add(id, { id, outcome, count, lastAt, ageMs: 0 })
    else {
      use.count += count
      use.lastAt = Math.max(use.lastAt, lastAt)
    }
  }

  const takeBatches = () => {
    requests.takeUses((id, count, lastAt) => add(id, 'valid', count, lastAt))
    const rows = [...uses.values()].flatMap((byId) => byId.values())
    uses = new Map()
    while (rows.length > 0) unwritten.push({ writer, number: (number += 1), uses: rows.splice(-BATCH_MAX) })
  }

  /** Whether all that was taken has been written. A batch whose fate is unknown goes first, under its number again. */
  const send = async (): Promise<boolean> => {
    for (let batch = unwritten[0]; batch !== undefined; batch = unwritten[0]) {
      const at = performance.now()
      for (const use of batch.uses) use.ageMs = Math.round(at - use.lastAt)
      try {
        await writeUse(db, batch)
      } catch (error) {
        log.warn({ err: error }, 'use of keys could not be written, trying again')
        return false
      }
      unwritten.shift()
    }
    return true
  }

  const write = async (): Promise<boolean> => {
    if (!(await send())) return false
    takeBatches()
    return await send()
  }

  const timer = setInterval(() => {
    writing ??= write().finally(() => (writing = null))
  }, WRITE_EVERY_MS)

  return {
    count: (id: string, outcome: KeyOutcome): void => add(id, outcome, 1, performance.now()),

    /** Writes the rest. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await writing
      for (let tries = 0; tries < STOP_TRIES; tries += 1) if (await write()) break
      try {
        await forgetWriter(db, writer)
      } catch (error) {
        log.warn({ err: error }, 'this writer of use could not be forgotten, another process does so a day later')
      }
    },
  }
}
