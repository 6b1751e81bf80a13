import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { isMigrated, NewerDatabaseError, pendingMigrations } from '@switchboard/database/migrate'
import { pause } from '@switchboard/database/pause'
import { reasonOf } from '@switchboard/database/start/reason'
import { fileError, StartError } from '@switchboard/database/start/start-error'
import type { SecretKey } from '@switchboard/database/stored-secrets/encryption'
import { createBackup } from './create-backup.ts'

// The backups that a server with the embedded PostgreSQL makes by itself.

/** Number of nightly backups that are kept. */
const NIGHTS = 7

/** Hour of the machine's time zone at which the backup of a new night is made. */
const NIGHT_HOUR = 3

/** Interval of the search for a missing backup, in milliseconds. The first is soon, for machines that only run by day. */
const FIRST_SEARCH_MS = 60_000
const SEARCH_MS = 600_000

const NIGHTLY = /^nightly-\d{4}-\d\d-\d\d\.backup$/
/** The draft of a killed server. */
const DRAFT = /^nightly-.+\.part$/
const BEFORE_UPGRADE = /^before-.+\.backup$/

/**
 * Creates the folder of the backups, readable only by its owner, unless it exists. Root gives the folder to the owner
 * of its parent folder, in a data folder the account of the servers. Throws a StartError.
 */
export function makeBackupFolder(folder: string): void {
  try {
    if (existsSync(folder)) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, gid } = statSync(path.dirname(folder))
    if (process.getuid?.() === 0) chownSync(folder, uid, gid)
  } catch (error) {
    throw fileError(error, folder)
  }
}

/**
 * Makes a backup before the pending migrations of a new release and removes the backup before the last upgrade. Does nothing
 * without pending migrations, and for an empty database. Throws a StartError for a newer database, with the backup from
 * before its upgrade.
 */
export async function backUpBeforeUpgrade({ url, folder, key }: Place, log: (line: string) => void): Promise<void> {
  const db = connect(url, { max: 1, isPatient: true })
  try {
    const [first] = await pendingMigrations(db).catch((error: unknown) => {
      throw error instanceof NewerDatabaseError ? withBackup(error, folder) : error
    })
    if (first === undefined || !(await isMigrated(db))) return
    const name = `before-${first}.backup`
    log(`Writing the backup before the upgrade, ${path.resolve(folder, name)} …`)
    await createBackup(url, path.join(folder, name), key)
    for (const other of readdirSync(folder)) if (BEFORE_UPGRADE.test(other) && other !== name) remove(folder, other)
  } finally {
    await db.destroy()
  }
}

/** The error, with the backup that the newer release made before the first migration that this release lacks. */
function withBackup(error: NewerDatabaseError, folder: string): StartError {
  const file = path.resolve(folder, `before-${error.firstUnknown}.backup`)
  return existsSync(file) ? new StartError(`${error.message} That backup is ${file}.`, { cause: error }) : error
}

/** The database, the folder of its backups, and the key that signs them. */
type Place = { url: string; folder: string; key: SecretKey | null }

type NightlyOptions = Place & {
  now: () => Date
  /** Receives the reason of a failed backup. The next search tries again. */
  onFailure: (reason: string) => void
  /** Ends the search. */
  signal: AbortSignal
}

/** Makes a backup for each night and keeps the newest seven, until the signal. Resolves after the last backup. */
export async function makeNightlyBackups({ signal, onFailure, ...options }: NightlyOptions): Promise<void> {
  await pause(FIRST_SEARCH_MS, signal)
  while (!signal.aborted) {
    await makeBackupOfNight(options).catch((error: unknown) => {
      // The stop of PostgreSQL ends a running backup.
      if (!signal.aborted) onFailure(reasonOf(fileError(error, options.folder)))
    })
    await pause(SEARCH_MS, signal)
  }
}

/** @internal Makes the backup of the current night, unless it exists. */
export async function makeBackupOfNight({
  url,
  folder,
  key,
  now,
}: Pick<NightlyOptions, 'url' | 'folder' | 'key' | 'now'>): Promise<void> {
  const file = path.join(folder, `nightly-${nightOf(now())}.backup`)
  if (existsSync(file)) return
  for (const draft of readdirSync(folder)) if (DRAFT.test(draft)) remove(folder, draft)
  await createBackup(url, file, key)
  const nightly = readdirSync(folder).filter((name) => NIGHTLY.test(name))
  for (const old of nightly.toSorted().slice(0, -NIGHTS)) remove(folder, old)
}

/** The local date on which the current night began its day: until 03:00 the day before. */
function nightOf(now: Date): string {
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() - NIGHT_HOUR)
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((number) => `${number}`.padStart(2, '0'))
  return `${at.getFullYear()}-${month}-${day}`
}

function remove(folder: string, name: string): void {
  rmSync(path.join(folder, name), { force: true })
}
