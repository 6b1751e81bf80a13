import type { Database } from '@switchboard/database/tables'
import { placeOf } from '@switchboard/database/start/start-checks'
import { StartError } from '@switchboard/database/start/start-error'
import { pause } from '@switchboard/database/pause'
import { isDatabaseAway } from '@switchboard/server/http/errors'
import type { Log } from '@switchboard/server/process/log'
import {
  type DatabaseUrls,
  migrateDatabase,
  openDatabase,
  openPool,
  patienceOf,
} from '@switchboard/server/process/open-database'
import type { Lifecycle } from '@switchboard/server/process/serve'
import type { Settings } from '@switchboard/server/settings/env'
import type { Kysely } from 'kysely'
import { type KeySnapshot, readSnapshot, type SnapshotFile } from '#src/api-keys/key-snapshot.ts'

const RETRY_MS = 250
const TOO_MANY_CONNECTIONS = '53300'

type Options = { urls: DatabaseUrls; log: Log; webhookSecrets: readonly string[] }

type Opened = {
  db: Kysely<Database>
  /** Read because no database answers. */
  snapshot: KeySnapshot | null
  /** Checks and migrates the database once. Until then `db` fails as without a database. */
  open: () => Promise<void>
}

/**
 * Opens the database of ai-api. While none answers and a snapshot of the keys is usable, returns without a database.
 * Throws a StartError as `openDatabase`.
 */
export async function openWithoutDatabase(lifecycle: Lifecycle, settings: Settings, options: Options): Promise<Opened> {
  const { urls, log } = options
  const max = settings.databasePool
  const patience = patienceOf(lifecycle, settings, log)
  const snapshot = await usableSnapshot(settings, options)
  const once = { ...patience, ms: 0 }
  try {
    const db = await openDatabase(urls, { max, log, patience: snapshot === null ? patience : once })
    return { db, snapshot: null, open: () => Promise.resolve() }
  } catch (error) {
    if (snapshot === null || !isAway(error)) throw error
    log.warn(
      { err: error, keys: snapshot.keys.length },
      'no database answers; this start uses the snapshot of API keys',
    )
    let isOpen = false
    const open = async () => {
      if (!isOpen) await migrateDatabase(urls.directUrl, { url: urls.url, patience: once })
      isOpen = true
    }
    return { db: openPool(urls, { max, isOpen: () => isOpen }, log), snapshot, open }
  }
}

/** Where the snapshot of the settings is; null: there is none. */
export function snapshotFileOf({ staleKeys }: Settings, { urls, webhookSecrets }: Options): SnapshotFile | null {
  const file = staleKeys?.file
  return file === undefined ? null : { file, secrets: webhookSecrets, database: placeOf(urls.directUrl) }
}

async function usableSnapshot(settings: Settings, options: Options): Promise<KeySnapshot | null> {
  const file = snapshotFileOf(settings, options)
  if (file === null || settings.staleKeys === null) return null
  try {
    return await readSnapshot(file, settings.staleKeys.seconds)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    options.log.warn(`The snapshot ${file.file} is ignored: ${reason}.`)
    return null
  }
}

/** Repeats `work` while no database answers, until `signal` is aborted. Logs each reason once. Throws another error. */
export async function whileAway(work: () => Promise<void>, { log, signal }: { log: Log; signal: AbortSignal }) {
  const reasons = new Set<string>()
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) return
      if (!isAway(error)) throw error
      if (!reasons.has(String(error))) log.warn({ err: error }, 'the database cannot be used yet')
      reasons.add(String(error))
      await pause(RETRY_MS, signal)
    }
  }
}

/** For a start, a database without a free connection counts as away too. */
function isAway(error: unknown): boolean {
  const cause = error instanceof StartError ? error.cause : error
  return isDatabaseAway(cause) || (cause instanceof Error && 'code' in cause && cause.code === TOO_MANY_CONNECTIONS)
}
