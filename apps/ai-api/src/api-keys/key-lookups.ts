import type { Database } from '@switchboard/database/tables'
import type { Listener } from '@switchboard/database/listener'
import type { Kysely } from 'kysely'
import type { KeyIndex } from './key-index.ts'
import { type KnownKey, keysByHash } from './api-keys.queries.ts'
import { createTextMap } from './text-map.ts'

/** Knowledge older than this is not trusted (design §9: a change is effective within a second). */
const TRUSTED_MS = 800
/** Most keys in one question. */
const BATCH_MAX = 1_000
/** So many are not kept waiting for more: while the database looks for them, the server sees to the others. */
const BATCH_ENOUGH = 32
/** While a question is under way, what comes is gathered for the next one, but not for longer than this. */
const GATHER_MS = 50

type Waiting = {
  hash: string
  promise: Promise<KnownKey | null>
  resolve: (key: KnownKey | null) => void
  reject: (error: unknown) => void
}

/**
 * Finds keys by hash: in memory while the listener hears every change, otherwise in the database. All that is missing
 * in one turn of the event loop, or while others are asked for, goes out as one statement.
 */
export function createKeyLookups(
  db: Kysely<Database>,
  index: KeyIndex,
  listener: Pick<Listener, 'heardUntil' | 'databaseTime'>,
) {
  let waiting = createTextMap<Waiting>()
  let questions = 0
  let gathering: NodeJS.Timeout | undefined

  const isTrusted = () => performance.now() - listener.heardUntil() < TRUSTED_MS

  const ask = async (asked: readonly Waiting[]) => {
    const isKept = isTrusted()
    const asking = index.beginAsking()
    const hashes = asked.map(({ hash }) => hash)
    questions += 1
    const [answer] = await Promise.allSettled([keysByHash(db, hashes)])
    questions -= 1
    // The next question before these answers, so that the database is at work while they go out.
    if (waiting.size() >= BATCH_ENOUGH) askNow()
    // At the end of the turn, when those who are answered now may have asked again.
    else setImmediate(askNext)
    index.endAsking(asking, isKept && answer.status === 'fulfilled' ? answer.value : [])
    for (const [n, { resolve, reject }] of asked.entries())
      if (answer.status === 'fulfilled') resolve(answer.value[n] ?? null)
      else reject(answer.reason)
  }

  const askNow = () => {
    clearTimeout(gathering)
    gathering = undefined
    const asked = waiting.values()
    waiting = createTextMap()
    void ask(asked)
  }

  const askNext = () => {
    if (waiting.size() === 0) return
    if (questions === 0) askNow()
    else gathering ??= setTimeout(askNow, GATHER_MS)
  }

  return {
    /** Whether every change up to now has been heard, but for the last moments. */
    isTrusted,

    /** The key as far as memory may be trusted; undefined: ask. A deadline that may have passed is for the database to judge. */
    known(hash: string): KnownKey | undefined {
      const key = isTrusted() ? index.get(hash) : undefined
      if (key === undefined) return undefined
      if (key.expires_at === null || key.refusal !== null || listener.databaseTime() < Date.parse(key.expires_at))
        return key
      return undefined
    },

    /** The key as the database has it now, or null. */
    ask(hash: string): Promise<KnownKey | null> {
      const present = waiting.get(hash)
      if (present !== undefined) return present.promise
      if (waiting.size() === 0) setImmediate(askNext)
      else if (waiting.size() >= (questions === 0 ? BATCH_ENOUGH : BATCH_MAX)) askNow()
      const { promise, resolve, reject } = Promise.withResolvers<KnownKey | null>()
      waiting.add(hash, { hash, promise, resolve, reject })
      return promise
    },
  }
}
