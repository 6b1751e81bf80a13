import type { Database } from '@switchboard/database/tables'
import type { Listener } from '@switchboard/database/listener'
import type { Kysely } from 'kysely'
import type { KeyIndex } from './key-index.ts'
import { type KnownKey, keysByHash } from './keys.queries.ts'

/** Knowledge older than this is not trusted (design §9: a change is effective within a second). */
const TRUSTED_MS = 800
/** Most keys in one question. */
const BATCH_MAX = 1_000

type Waiting = {
  promise: Promise<KnownKey | null>
  resolve: (key: KnownKey | null) => void
  reject: (error: unknown) => void
}

/**
 * Finds keys by hash: in memory while the listener hears every change, otherwise in the database. All that is missing
 * in one turn of the event loop is asked for in one statement.
 */
export function createKeyLookups(
  db: Kysely<Database>,
  index: KeyIndex,
  listener: Pick<Listener, 'heardUntil' | 'databaseTime'>,
) {
  let waiting = new Map<string, Waiting>()

  const isTrusted = () => performance.now() - listener.heardUntil() < TRUSTED_MS

  const ask = async () => {
    const asked = waiting
    waiting = new Map()
    const isKept = isTrusted()
    const asking = index.beginAsking()
    let keys: KnownKey[] = []
    try {
      keys = await keysByHash(db, [...asked.keys()])
      const found = new Map(keys.map((key) => [key.hash, key]))
      for (const [hash, { resolve }] of asked) resolve(found.get(hash) ?? null)
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    } finally {
      index.endAsking(asking, isKept ? keys : [])
    }
  }

  return {
    /** The key as far as memory may be trusted; undefined: ask. A deadline that may have passed is for the database to judge. */
    known(hash: string): KnownKey | undefined {
      const key = index.get(hash)
      if (key === undefined || !isTrusted()) return undefined
      if (key.expires_at === null || key.is_expired || listener.databaseTime() < Date.parse(key.expires_at)) return key
      return undefined
    },

    /** The key as the database has it now, or null. */
    async ask(hash: string): Promise<KnownKey | null> {
      const present = waiting.get(hash)
      if (present !== undefined) return await present.promise
      if (waiting.size === 0) setImmediate(() => void ask())
      else if (waiting.size >= BATCH_MAX) void ask()
      const one = Promise.withResolvers<KnownKey | null>()
      waiting.set(hash, one)
      return await one.promise
    },
  }
}
