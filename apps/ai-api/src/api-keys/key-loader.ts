import { ReadOnlyError } from '@switchboard/database/connection/pool'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import type { Changes } from '#src/changes.ts'
import { type KeyRecord, keysByHash } from './key-check.queries.ts'
import type { KeyCache } from './key-cache.ts'

/** Two queries in flight keep PostgreSQL busy while this process answers requests. */
const QUERIES_BUSY = 2
/** Longest wait of a batch while so many queries are in flight, in milliseconds. One of them may hang. */
const GATHER_MS = 50

type Pending = PromiseWithResolvers<KeyRecord | null>
type LoaderDeps = {
  db: Kysely<Database>
  cache: KeyCache
  changes: Pick<Changes, 'areReceived'>
}

/**
 * Loads keys by hash in batches: one query for all keys requested in one turn of the event loop, or while two earlier
 * queries are in flight. Caches them while every change is received.
 */
export function createKeyLoader({ db, cache, changes }: LoaderDeps) {
  let batch = new Map<string, Pending>()
  let queries = 0

  const loadBatch = async (): Promise<void> => {
    if (batch.size === 0) return
    const loading = batch
    batch = new Map()
    queries += 1
    try {
      await answer(loading)
    } catch (error) {
      for (const { reject } of loading.values()) reject(error)
    }
    queries -= 1
    setImmediate(startLoading)
  }

  const answer = async (loading: Map<string, Pending>): Promise<void> => {
    const sentAt = performance.now()
    const { keys, isStandby } = await keysByHash(db, [...loading.keys()])
    // After a failover the address may lead to a standby, without the latest changes.
    if (isStandby) throw new ReadOnlyError()
    const areChangesReceived = changes.areReceived()
    for (const [hash, { resolve }] of loading) {
      const key = keys.get(hash)
      if (key !== undefined && areChangesReceived && !cache.isChangedSince(key, sentAt)) cache.add(key)
      resolve(key ?? null)
    }
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
