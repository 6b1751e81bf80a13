import { ReadOnlyError } from '@switchboard/database/connection/pool'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { createBatchLoader } from '#src/batch-loader.ts'
import type { Changes } from '#src/changes.ts'
import { keysByHash } from './key-check.queries.ts'
import type { KeyCache } from './key-cache.ts'

type LoaderDeps = {
  db: Kysely<Database>
  cache: KeyCache
  changes: Pick<Changes, 'areReceived' | 'isChangedSince'>
}

/** Loads keys by hash in batches. Caches them while every change is received. */
export function createKeyLoader({ db, cache, changes }: LoaderDeps) {
  return createBatchLoader(async (hashes) => {
    const sentAt = performance.now()
    const { keys, isStandby } = await keysByHash(db, hashes)
    // After a failover the address may lead to a standby, without the latest changes.
    if (isStandby) throw new ReadOnlyError()
    if (changes.areReceived())
      for (const key of keys.values())
        if (!changes.isChangedSince(sentAt, [key.api_key_id, key.tenant_id])) cache.add(key)
    return keys
  })
}
