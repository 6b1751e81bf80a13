import { LRUCache } from 'lru-cache'
import type { KeyRecord } from './key-check.queries.ts'

/** Maximum number of cached keys. */
const KEYS_MAX = 250_000
/**
 * How long a change is kept in milliseconds, to compare it with the answers of running queries. No query takes that
 * long.
 */
const CHANGES_MS = 10_000

export type KeyCache = ReturnType<typeof createKeyCache>

/** An LRU cache of keys by the SHA-256 of their secret. The caller reports every change, so that no stale key is left. */
export function createKeyCache(max = KEYS_MAX) {
  const keys = new LRUCache<string, KeyRecord>({ max, dispose: (key) => removeFromIndex(key) })
  /** Hashes by the id of a key and by the id of its tenant: changes are announced by id. */
  const hashesById = new Map<string, Set<string>>()
  /** Time of the latest change by id, oldest first. */
  const changedAt = new Map<string, number>()
  let clearedAt = Number.NEGATIVE_INFINITY

  const removeFromIndex = ({ hash, api_key_id, tenant_id }: KeyRecord): void => {
    for (const id of [api_key_id, tenant_id]) {
      const hashes = hashesById.get(id)
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesById.delete(id)
    }
  }

  return {
    get: (hash: string): KeyRecord | undefined => keys.get(hash),

    /** Whether the key may have changed since a time (`performance.now()`): do not cache a row of that time. */
    isChangedSince({ api_key_id, tenant_id }: KeyRecord, time: number): boolean {
      if (time <= clearedAt || time < performance.now() - CHANGES_MS) return true
      return [api_key_id, tenant_id].some((id) => (changedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= time)
    },

    add(key: KeyRecord): void {
      keys.set(key.hash, key)
      for (const id of [key.api_key_id, key.tenant_id])
        hashesById.getOrInsertComputed(id, () => new Set()).add(key.hash)
    },

    /** Removes a key, or all keys of a tenant. */
    invalidate(id: string): void {
      const now = performance.now()
      changedAt.delete(id)
      changedAt.set(id, now)
      for (const [old, at] of changedAt) {
        if (now - at < CHANGES_MS) break
        changedAt.delete(old)
      }
      for (const hash of hashesById.get(id) ?? []) keys.delete(hash)
    },

    clear(): void {
      clearedAt = performance.now()
      hashesById.clear()
      keys.clear()
    },
  }
}
