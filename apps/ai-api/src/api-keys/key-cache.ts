import { LRUCache } from 'lru-cache'
import type { KeyRecord } from './key-check.queries.ts'

/** Maximum number of cached keys. */
const KEYS_MAX = 250_000

export type KeyCache = ReturnType<typeof createKeyCache>

/** An LRU cache of keys by the SHA-256 of their secret. The caller reports every change, so that no stale key is left. */
export function createKeyCache(max = KEYS_MAX) {
  const keys = new LRUCache<string, KeyRecord>({ max, dispose: (key) => removeFromIndex(key) })
  /** Hashes by the id of a key and by the id of its tenant: changes are announced by id. */
  const hashesById = new Map<string, Set<string>>()

  const removeFromIndex = ({ hash, api_key_id, tenant_id }: KeyRecord): void => {
    for (const id of [api_key_id, tenant_id]) {
      const hashes = hashesById.get(id)
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesById.delete(id)
    }
  }

  return {
    get: (hash: string): KeyRecord | undefined => keys.get(hash),

    add(key: KeyRecord): void {
      keys.set(key.hash, key)
      for (const id of [key.api_key_id, key.tenant_id])
        hashesById.getOrInsertComputed(id, () => new Set()).add(key.hash)
    },

    /** Removes a key, or all keys of a tenant. */
    invalidate(id: string): void {
      for (const hash of hashesById.get(id) ?? []) keys.delete(hash)
    },

    clear(): void {
      hashesById.clear()
      keys.clear()
    },
  }
}
