import type { Database } from '@switchboard/database/tables'
import { placeOf } from '@switchboard/database/start/start-checks'
import { StartError } from '@switchboard/database/start/start-error'
import { pause } from '@switchboard/database/pause'
import { isDatabaseAway } from '@switchboard/server/http/errors'
import type { Log } from '@switchboard/server/process/log'
import { type DatabaseUrls, migrateDatabase, openDatabase, openPool } from '@switchboard/server/process/open-database'
import type { Lifecycle } from '@switchboard/server/process/serve'
import type { Settings } from '@switchboard/server/settings/env'
import type { Kysely } from 'kysely'
import { type KeySnapshot, readSnapshot, type SnapshotFile } from '#src/api-keys/key-snapshot.ts'

const RETRY_MS = 250

type Options = { urls: DatabaseUrls; log: Log; webhookSecrets: readonly string[] }

type Opened = {
  db: Kysely<Database>
  /** Read because no database answers. */
  snapshot: KeySnapshot | null
  /** Resolves when the database is checked and migrated. Until then `db` fails as without a database. */
  whenOpen: Promise<void>
}

/**
 * Opens the database of ai-api. While none answers and a snapshot of the keys is usable, returns without a database and
 * goes on trying. Throws a StartError as `openDatabase`.
 */
export async function openWithoutDatabase(lifecycle: Lifecycle, settings: Settings, options: Options): Promise<Opened> {
  const { urls, log } = options
  const { signal } = lifecycle
  const max = settings.databasePool
  try {
    return { db: await openDatabase(urls, { max, log, signal }), snapshot: null, whenOpen: Promise.resolve() }
  } catch (error) {
    if (!isAway(error)) throw error
    const snapshot = await usableSnapshot(settings, options)
    if (snapshot === null) throw error
    log.warn(
      { err: error, keys: snapshot.keys.length },
      'no database answers; this start uses the snapshot of API keys',
    )
    let isOpen = false
    const open = async () => {
      while (!(await isMigrated(urls, log, signal))) {
        await pause(RETRY_MS, signal)
        signal.throwIfAborted()
      }
      isOpen = true
    }
    return { db: openPool(urls, { max, isOpen: () => isOpen }, log), snapshot, whenOpen: open() }
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

/** Whether the database has answered and is migrated now. */
async function isMigrated({ url, directUrl }: DatabaseUrls, log: Log, signal: AbortSignal): Promise<boolean> {
  try {
    await migrateDatabase(directUrl, { url, say: (text) => log.warn(text), signal })
    return true
  } catch (error) {
    if (!isAway(error)) throw error
    return false
  }
}

function isAway(error: unknown): boolean {
  return error instanceof StartError && isDatabaseAway(error.cause)
}
