/** Maximum number of origins of a key in a batch. */
const ORIGINS_PER_KEY_MAX = 20
/** Maximum number of origins of all keys in a batch. */
const ORIGINS_MAX = 2_000
/** Longest stored origin. */
const ORIGIN_MAX = 255

/** Refused calls of a key from an origin, and the time of the latest one as a `performance.now()`. */
export type RefusedOrigin = { id: string; origin: string | null; count: number; lastAt: number }

/**
 * Counts the origins of refused calls between two batches. Anyone who knows a key can make up origins, so the numbers are
 * limited. When a key has too many origins, one more origin takes one call off each of them (the algorithm of Misra and
 * Gries): an origin with more than one in 21 calls of the key is never lost, unless all keys together have too many
 * origins. A count is never too high.
 */
export function createRefusedOrigins() {
  let byKey = new Map<string, Map<string | null, RefusedOrigin>>()
  let size = 0

  return {
    count(id: string, named: string | undefined): void {
      const origin = normalizedOrigin(named)
      const origins = byKey.get(id)
      const known = origins?.get(origin)
      if (known !== undefined) {
        known.count += 1
        known.lastAt = performance.now()
      } else if (origins?.size === ORIGINS_PER_KEY_MAX) {
        for (const [name, other] of origins) {
          other.count -= 1
          if (other.count === 0 && origins.delete(name)) size -= 1
        }
      } else if (size < ORIGINS_MAX) {
        const added = { id, origin, count: 1, lastAt: performance.now() }
        byKey.getOrInsertComputed(id, () => new Map<string | null, RefusedOrigin>()).set(origin, added)
        size += 1
      }
    },

    /** Returns all counts and starts again. */
    take(): RefusedOrigin[] {
      const taken = [...byKey.values()].flatMap((origins) => [...origins.values()])
      byKey = new Map()
      size = 0
      return taken
    },
  }
}

/**
 * The origin that a call named, in the form of allowed origins. `/…` stands for a path, which may hold anything. Hosts
 * without a scheme and other schemes are kept in lower case. Null without a readable origin.
 */
export function normalizedOrigin(named: string | undefined): string | null {
  if (named === undefined || named.length > ORIGIN_MAX) return null
  if (/^[a-z\d.-]+(?::\d+)?$/i.test(named)) return named.toLowerCase()
  const [begin = '', scheme = ''] = /^([a-z][a-z\d+.-]*):\/\/[^\s/?#@\\%*]+/i.exec(named) ?? []
  const origin = /^https?$/i.test(scheme) ? URL.parse(begin)?.origin : begin.toLowerCase()
  if (origin === undefined || !/^[!-~]+$/.test(origin) || origin.length > ORIGIN_MAX - PATH.length) return null
  return begin.length === named.length ? origin : origin + PATH
}

const PATH = '/…'
