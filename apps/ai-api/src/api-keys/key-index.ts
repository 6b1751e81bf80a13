import type { KnownKey } from './api-keys.queries.ts'
import type { KnownRequests } from './known-requests.ts'

/** Most keys held in memory; the oldest goes first. */
const KEYS_MAX = 250_000

/** Keys that were asked for and have not come yet; what changes meanwhile is not to be kept. */
export type Asking = { changed: Set<string>; isVoid: boolean }

/** The keys known by their hash, kept true by telling it what has changed. With a key go the answers it was given. */
export type KeyIndex = ReturnType<typeof createKeyIndex>

export function createKeyIndex(requests: Pick<KnownRequests, 'forget' | 'clear'>, max = KEYS_MAX) {
  const byHash = new Map<string, KnownKey>()
  const hashesById = new Map<string, Set<string>>()
  const asking = new Set<Asking>()

  const remove = (key: KnownKey) => {
    byHash.delete(key.hash)
    requests.forget(key)
    for (const id of [key.api_key_id, key.tenant_id]) {
      const hashes = hashesById.get(id)
      hashes?.delete(key.hash)
      if (hashes?.size === 0) hashesById.delete(id)
    }
  }

  return {
    get: (hash: string): KnownKey | undefined => byHash.get(hash),
    size: () => byHash.size,

    /** To be called before the database is asked, so that a change that overtakes the answer is noticed. */
    beginAsking(): Asking {
      const one: Asking = { changed: new Set(), isVoid: false }
      asking.add(one)
      return one
    },

    /** Keeps what the database answered, null where there is no key, unless it has changed since it was asked. */
    endAsking(one: Asking, keys: readonly (KnownKey | null)[]): void {
      asking.delete(one)
      if (one.isVoid) return
      for (const key of keys) {
        if (key === null || one.changed.has(key.api_key_id) || one.changed.has(key.tenant_id)) continue
        const before = byHash.get(key.hash)
        if (before !== undefined) remove(before)
        byHash.set(key.hash, key)
        for (const id of [key.api_key_id, key.tenant_id]) {
          const hashes = hashesById.get(id)
          if (hashes === undefined) hashesById.set(id, new Set([key.hash]))
          else hashes.add(key.hash)
        }
        const oldest = byHash.size > max ? byHash.values().next().value : undefined
        if (oldest !== undefined) remove(oldest)
      }
    },

    /** Forgets a key, or all keys of a tenant. */
    forget(id: string): void {
      for (const one of asking) one.changed.add(id)
      for (const hash of hashesById.get(id) ?? []) {
        const key = byHash.get(hash)
        if (key !== undefined) remove(key)
      }
    },

    /** Forgets everything, also what is on its way. */
    clear(): void {
      byHash.clear()
      requests.clear()
      hashesById.clear()
      for (const one of asking) one.isVoid = true
    },
  }
}
