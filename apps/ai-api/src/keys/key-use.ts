import { randomUUID } from 'node:crypto'
import { KEY_OUTCOMES, type KeyOutcome } from '@switchboard/contract/api-keys'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/log'
import type { Kysely } from 'kysely'
import { forgetWriter, type UseBatch, writeUse } from './keys.queries.ts'

/** What was counted is written this long after the first count, so that it is at most two seconds late. */
const WRITE_AFTER_MS = 1_200
const STOP_TRIES = 3

type Use = { usedAt: number | null; counts: Map<KeyOutcome, number> }

/** Counts how checks end, and writes the counts to the database in batches. */
export function createKeyUse(db: Kysely<Database>, log: Log) {
  const writer = randomUUID()
  let uses = new Map<string, Use>()
  let unwritten: (Omit<UseBatch, 'used'> & { used: { id: string; usedAt: number }[] }) | null = null
  let number = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const takeBatch = () => {
    const taken = [...uses]
    uses = new Map()
    number += 1
    return {
      writer,
      number,
      used: taken.flatMap(([id, { usedAt }]) => (usedAt === null ? [] : [{ id, usedAt }])),
      counts: taken.flatMap(([id, { counts }]) => [...counts].map(([outcome, count]) => ({ id, outcome, count }))),
    }
  }

  /** Writes what there is; a batch whose fate is unknown is sent again under its number before any other. */
  const write = async (): Promise<boolean> => {
    while (unwritten !== null || uses.size > 0) {
      unwritten ??= takeBatch()
      const at = performance.now()
      try {
        await writeUse(db, {
          ...unwritten,
          used: unwritten.used.map(({ id, usedAt }) => ({ id, ageMs: at - usedAt })),
        })
        unwritten = null
      } catch (error) {
        log.warn({ err: error }, 'use of keys could not be written, trying again')
        return false
      }
    }
    return true
  }

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      writing = write().then((isDone) => void (isDone || schedule()))
    }, WRITE_AFTER_MS)
  }

  return {
    count(id: string, outcome: KeyOutcome): void {
      let use = uses.get(id)
      if (use === undefined) {
        use = { usedAt: null, counts: new Map() }
        uses.set(id, use)
        schedule()
      }
      use.counts.set(outcome, (use.counts.get(outcome) ?? 0) + 1)
      if (outcome === VALID) use.usedAt = performance.now()
    },

    /** Writes the rest. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      await writing
      clearTimeout(timer)
      for (let tries = 0; tries < STOP_TRIES; tries += 1) if (await write()) break
      // If this fails, another process forgets it a day later.
      await forgetWriter(db, writer).catch(() => {})
    },
  }
}

const [VALID] = KEY_OUTCOMES
