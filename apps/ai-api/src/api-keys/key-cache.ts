import { LRUCache } from 'lru-cache'
import type { KeyRecord } from './api-keys.queries.ts'

/** Maximum number of cached keys. */
const KEYS_MAX = 250_000

export type KeyCache = ReturnType<typeof createKeyCache>

/** An LRU cache of keys by the SHA-256 of their secret. The caller reports every change, so that no stale key is left. */
export function createKeyCache(max = KEYS_MAX) {
  const keys = new LRUCache<string, KeyRecord>({ max, dispose: (key) => removeFromIndex(key) })
  /** Hashes by the id of a key and by the id of its tenant: changes are announced by id. */
  const hashesById = new Map<string, Set<string>>()
  let invalidations = 0

  const removeFromIndex = ({ hash, api_key_id, tenant_id }: KeyRecord): void => {
    for (const id of [api_key_id, tenant_id]) {
      const hashes = hashesById.get(id)
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesById.delete(id)
    }
  }

  return {
    get: (hash: string): KeyRecord | undefined => keys.get(hash),

    /** The key that was used last; undefined in an empty cache. */
    latest(): string | undefined {
      const [hash] = keys.keys()
      return hash
    },

    /** Every key once, while the cache may change between two of them. The iterators of LRUCache may not end then. */
    *all(): Generator<KeyRecord> {
      for (const [id, hashes] of hashesById)
        for (const hash of hashes) {
          const key = keys.peek(hash)
          if (key?.api_key_id === id) yield key
        }
    },

    /** Number of invalidations so far. A key loaded before the latest one may be stale: do not cache it. */
    invalidations: (): number => invalidations,

    add(key: KeyRecord): void {
      keys.set(key.hash, key)
      for (const id of [key.api_key_id, key.tenant_id])
        hashesById.getOrInsertComputed(id, () => new Set()).add(key.hash)
    },

    remove: (hash: string): void => void keys.delete(hash),

    /** Removes a key, or all keys of a tenant. */
    invalidate(id: string): void {
      invalidations += 1
      for (const hash of hashesById.get(id) ?? []) keys.delete(hash)
    },

    clear(): void {
      invalidations += 1
      hashesById.clear()
      keys.clear()
    },
  }
}
