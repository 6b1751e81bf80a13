import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { BackupKind } from '@switchboard/contract/system'
import { connect } from '@switchboard/database/connection/connect'
import { isMigrated, NewerDatabaseError, pendingMigrations } from '@switchboard/database/migrate'
import { pause } from '@switchboard/database/pause'
import { reasonOf } from '@switchboard/database/start/reason'
import { fileError, StartError } from '@switchboard/database/start/start-error'
import type { SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import { databaseBytes, isUnverifiedFor } from './backups.queries.ts'
import { makeBackup, verifyBackup } from './recorded-backup.ts'

// The backups that a server with the embedded PostgreSQL makes by itself.

/** Number of nightly backups that are kept. */
const NIGHTS = 7

/** Hour of the machine's time zone at which the backup of a new night is made. */
const NIGHT_HOUR = 3

/** Interval of the search for a missing backup, in milliseconds. The first is soon, for machines that only run by day. */
const FIRST_SEARCH_MS = 60_000
const SEARCH_MS = 600_000

/** Days without a verification after which the next backup of a night is verified: the seventh one. */
const VERIFIED_DAYS = 6

/** The backups of the nights, and of the command and "Back Up Now". */
type Series = 'nightly' | 'switchboard'

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

/** The name of a new backup of the command or of "Back Up Now". Creates the folder unless it exists. Throws a StartError. */
export function newBackupFile(folder: string, now: Date): string {
  makeBackupFolder(folder)
  return path.join(folder, `switchboard-${now.toISOString().replaceAll(':', '-')}.backup`)
}

/** Deletes the backups of a series except the newest `count`, and drafts of killed processes from before them. */
export function keepNewest(folder: string, series: Series, count: number): void {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${series}-`))
  // The names contain the times.
  const [oldest = ''] = names.filter(isBackup).toSorted().slice(-count)
  for (const name of names)
    if (name < oldest && isBackup(name.replace(/\.part$/, ''))) rmSync(path.join(folder, name), { force: true })
}

/** The newest backup of a folder, of any series. Throws a StartError without one. */
export function newestBackupIn(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder).filter(isBackup) : []
  const [newest] = names
    .map((name) => path.join(folder, name))
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  if (newest === undefined) throw new StartError(`${path.resolve(folder)} has no backup.`)
  return newest
}

function isBackup(name: string): boolean {
  return name.endsWith('.backup')
}

/** The database, the folder of its backups, and the keys that sign and verify them. */
type Place = { url: string; folder: string; keys: SecretKeys }

/**
 * Makes a backup before the pending migrations of a new release and removes the backup before the last upgrade. Does nothing
 * without pending migrations, and for an empty database. Throws a StartError for a newer database, with the backup from
 * before its upgrade.
 */
export async function backUpBeforeUpgrade({ url, folder, keys }: Place, log: (line: string) => void): Promise<void> {
  const db = connect(url, { max: 1, isPatient: true })
  try {
    const [first] = await pendingMigrations(db).catch((error: unknown) => {
      throw error instanceof NewerDatabaseError ? withBackup(error, folder) : error
    })
    if (first === undefined || !(await isMigrated(db))) return
    const name = `before-${first}.backup`
    log(`Writing the backup before the upgrade, ${path.resolve(folder, name)} …`)
    const { unrecorded } = await makeBackup({
      url,
      target: path.join(folder, name),
      key: keys.current,
      made_by: 'server',
    })
    if (unrecorded !== null) log(unrecorded)
    for (const other of readdirSync(folder))
      if (BEFORE_UPGRADE.test(other) && other !== name) rmSync(path.join(folder, other), { force: true })
  } finally {
    await db.destroy()
  }
}

/** The error, with the backup that the newer release made before the first migration that this release lacks. */
function withBackup(error: NewerDatabaseError, folder: string): StartError {
  const file = path.resolve(folder, `before-${error.firstUnknown}.backup`)
  return existsSync(file) ? new StartError(`${error.message} That backup is ${file}.`, { cause: error }) : error
}

type NightlyOptions = Place & {
  /** The folder of the embedded PostgreSQL. */
  dataDir: string
  now: () => Date
  /** Receives the reason of a failed backup, which the next search tries again, or of a failed verification. */
  onFailure: (kind: BackupKind, reason: string) => void
  /** Ends the search. */
  signal: AbortSignal
}

/** Makes a backup for each night, keeps the newest seven and verifies one a week, until the signal. Resolves after the last one. */
export async function makeNightlyBackups({ signal, onFailure, ...options }: NightlyOptions): Promise<void> {
  const attempt = async (kind: BackupKind, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      // The stop of PostgreSQL ends a running backup.
      if (!signal.aborted) onFailure(kind, reasonOf(fileError(error, options.folder)))
    }
  }
  await pause(FIRST_SEARCH_MS, signal)
  while (!signal.aborted) {
    await attempt('backup', async () => {
      const file = await makeBackupOfNight(options)
      if (file !== undefined) await attempt('verification', () => verifyOnceAWeek(options, file))
    })
    await pause(SEARCH_MS, signal)
  }
}

/** @internal Makes the backup of the current night and returns its file. Undefined: it existed. */
export async function makeBackupOfNight({
  url,
  folder,
  keys,
  now,
}: Pick<NightlyOptions, 'url' | 'folder' | 'keys' | 'now'>): Promise<string | undefined> {
  const file = path.join(folder, `nightly-${nightOf(now())}.backup`)
  if (existsSync(file)) return undefined
  const { unrecorded } = await makeBackup({ url, target: file, key: keys.current, made_by: 'server' })
  keepNewest(folder, 'nightly', NIGHTS)
  if (unrecorded !== null) throw new StartError(unrecorded)
  return file
}

/** @internal Verifies the backup if none was verified for a week. Throws a StartError without enough space for its rows. */
export async function verifyOnceAWeek(
  { url, dataDir, keys }: Pick<NightlyOptions, 'url' | 'dataDir' | 'keys'>,
  file: string,
): Promise<void> {
  const db = connect(url, { max: 1, isPatient: true })
  try {
    if (!(await isUnverifiedFor(db, VERIFIED_DAYS))) return
    const { bavail, bsize } = await statfs(dataDir)
    // A full disk would stop the servers.
    if (bavail * bsize < 2 * (await databaseBytes(db)))
      throw new StartError(`The disk of ${dataDir} has no space for a second database of this size.`)
  } finally {
    await db.destroy()
  }
  const { unrecorded } = await verifyBackup({ url, file, keys, made_by: 'server' })
  if (unrecorded !== null) throw new StartError(unrecorded)
}

/** The local date on which the current night began its day: until 03:00 the day before. */
function nightOf(now: Date): string {
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() - NIGHT_HOUR)
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((number) => `${number}`.padStart(2, '0'))
  return `${at.getFullYear()}-${month}-${day}`
}
