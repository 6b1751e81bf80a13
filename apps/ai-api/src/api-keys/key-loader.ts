import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { type KeyRecord, keysByHash } from './api-keys.queries.ts'
import type { KeyCache } from './key-cache.ts'

/** Two queries in flight keep PostgreSQL busy while this process answers requests. */
const QUERIES_BUSY = 2
/** Longest wait of a batch while so many queries are in flight, in milliseconds. One of them may hang. */
const GATHER_MS = 50

type Pending = PromiseWithResolvers<KeyRecord | null>

/**
 * Loads keys by hash in batches: one query for all keys requested in one turn of the event loop, or while two earlier
 * queries are in flight. Caches them while every change is received.
 */
export function createKeyLoader(db: Kysely<Database>, cache: KeyCache, areChangesReceived: () => boolean) {
  let batch = new Map<string, Pending>()
  let queries = 0

  const loadBatch = async (): Promise<void> => {
    if (batch.size === 0) return
    const loading = batch
    batch = new Map()
    queries += 1
    const invalidations = cache.invalidations()
    try {
      const keys = await keysByHash(db, [...loading.keys()])
      const isCurrent = areChangesReceived() && cache.invalidations() === invalidations
      for (const [hash, { resolve }] of loading) {
        const key = keys.get(hash)
        if (isCurrent && key !== undefined) cache.add(key)
        resolve(key ?? null)
      }
    } catch (error) {
      for (const { reject } of loading.values()) reject(error)
    }
    queries -= 1
    setImmediate(startLoading)
  }

  const startLoading = () => void loadBatch()

  /** Returns the key as the database has it now, or null. */
  return function load(hash: string): Promise<KeyRecord | null> {
    if (batch.size === 0) {
      if (queries < QUERIES_BUSY) setImmediate(startLoading)
      else setTimeout(startLoading, GATHER_MS)
    }
    return batch.getOrInsertComputed(hash, () => Promise.withResolvers<KeyRecord | null>()).promise
  }
}
