import { randomUUID } from 'node:crypto'
import type { KeyOutcome } from '@switchboard/contract/key-outcomes'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/log'
import type { Kysely } from 'kysely'
import { forgetWriter, type KeyUse, type UseBatch, writeUse } from './keys.queries.ts'

/** What was counted is written this long after the first count, so that it is at most two seconds late. */
const WRITE_AFTER_MS = 1_600
/** Most rows in one statement, so that neither this process nor the database is held up by it. */
const BATCH_MAX = 5_000
const STOP_TRIES = 3

type Use = { count: number; lastAt: number }
type Batch = Omit<UseBatch, 'uses'> & { uses: (Use & Pick<KeyUse, 'id' | 'outcome'>)[] }

/** Counts how checks end, and writes the counts to the database in batches. */
export function createKeyUse(db: Kysely<Database>, log: Log) {
  const writer = randomUUID()
  let uses = new Map<KeyOutcome, Map<string, Use>>()
  const unwritten: Batch[] = []
  let number = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const takeBatches = () => {
    const rows = [...uses].flatMap(([outcome, byId]) => [...byId].map(([id, use]) => ({ id, outcome, ...use })))
    uses = new Map()
    while (rows.length > 0) unwritten.push({ writer, number: (number += 1), uses: rows.splice(-BATCH_MAX) })
  }

  /** Whether all that was taken has been written. A batch whose fate is unknown goes first, under its number again. */
  const send = async (): Promise<boolean> => {
    for (let batch = unwritten[0]; batch !== undefined; batch = unwritten[0]) {
      const at = performance.now()
      try {
        await writeUse(db, { ...batch, uses: batch.uses.map((use) => ({ ...use, ageMs: at - use.lastAt })) })
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

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(write).then((isDone) => void (isDone || schedule()))
    }, WRITE_AFTER_MS)
  }

  return {
    count(id: string, outcome: KeyOutcome): void {
      let byId = uses.get(outcome)
      if (byId === undefined) {
        byId = new Map()
        uses.set(outcome, byId)
        schedule()
      }
      const use = byId.get(id)
      if (use === undefined) byId.set(id, { count: 1, lastAt: performance.now() })
      else {
        use.count += 1
        use.lastAt = performance.now()
      }
    },

    /** Writes the rest. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      await writing
      clearTimeout(timer)
      for (let tries = 0; tries < STOP_TRIES; tries += 1) if (await write()) break
      try {
        await forgetWriter(db, writer)
      } catch (error) {
        log.warn({ err: error }, 'this writer of use could not be forgotten, another process does so a day later')
      }
    },
  }
}
