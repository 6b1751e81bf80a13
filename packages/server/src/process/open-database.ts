import { connect, type ConnectOptions } from '@switchboard/database/connection/connect'
import { checkRights } from '@switchboard/database/start/check-rights'
import { checkSearchPath } from '@switchboard/database/start/check-search-path'
import { checkSettings } from '@switchboard/database/start/check-settings'
import { parseDatabaseUrl } from '@switchboard/database/connection/database-url'
import { migrate, type MigrateOptions, pendingMigrations } from '@switchboard/database/migrate'
import {
  type Checked,
  checkNotifications,
  checkVersion,
  placeOf,
  reasonOf,
} from '@switchboard/database/start/start-checks'
import { StartError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import type { Settings } from '#src/settings/env.ts'
import type { Log } from './log.ts'

/** Both URLs of the database. */
export type DatabaseUrls = {
  /** For statements and transactions. May lead through a transaction pooler when `directUrl` is another URL. */
  url: string
  /** Leads to PostgreSQL itself: for migrations, jobs and the listening connection. */
  directUrl: string
}

/** The database of a server started alone. Throws a StartError without `DATABASE_URL`. */
export function requireDatabase({ databaseUrl, databaseDirectUrl }: Settings): DatabaseUrls {
  if (databaseUrl === undefined) throw new StartError('DATABASE_URL must name the database that the servers share.')
  return { url: databaseUrl, directUrl: databaseDirectUrl ?? databaseUrl }
}

/**
 * Checks and migrates the database, and opens the main pool of `max` connections. Throws a StartError with host, port,
 * database and reason, never the password, when there is no usable PostgreSQL.
 */
export async function openDatabase(urls: DatabaseUrls, { max, log, signal }: OpenOptions): Promise<Kysely<Database>> {
  await migrateDatabase(urls.directUrl, { url: urls.url, ...migrationLog(log), signal })
  for (const sentence of encryptionWarnings(urls)) log.warn(sentence)
  return openPool(urls, { max }, log)
}

/** Where the lines of a migration go. */
export function migrationLog(log: Log): Pick<MigrateOptions, 'say' | 'warn'> {
  return { say: (line) => log.info(line), warn: (line) => log.warn(line) }
}

/** `signal` ends the wait for a migration by another process. */
type OpenOptions = { max: number; log: Log; signal: AbortSignal }

/**
 * A sentence for each URL without verified encryption: the network could read along, or answer in place of the
 * database.
 */
export function encryptionWarnings(given: DatabaseUrls): string[] {
  const urls = new Map([
    [given.directUrl, 'DATABASE_DIRECT_URL'],
    [given.url, 'DATABASE_URL'],
  ])
  return [...urls].flatMap(([url, variable]) => encryptionWarning(url, variable))
}

/** As `encryptionWarnings`, for one URL. */
export function encryptionWarning(url: string, variable: string): string[] {
  const { hosts, encryption, place } = parseDatabaseUrl(url)
  if (encryption === 'verified' || hosts.every(({ isLocal }) => isLocal)) return []
  const fault = encryption === 'none' ? 'is not encrypted' : 'does not check the certificate of the server'
  return [`The connection to the database ${place} ${fault}. Add sslmode=verify-full to ${variable}.`]
}

/** Opens a pool for statements and transactions. */
export function openPool({ url, directUrl }: DatabaseUrls, options: ConnectOptions, log: Log): Kysely<Database> {
  const onLost = (error: Error) => log.warn({ err: error }, 'database connection lost')
  return connect(url, { ...options, isPooled: url !== directUrl, onLost })
}

/**
 * Checks both connections to the database, and runs pending migrations on a separate connection without a time limit, after
 * any migration by another process. Throws a StartError when there is no usable PostgreSQL or a migration fails.
 */
export async function migrateDatabase(
  directUrl: string,
  { url = directUrl, ...options }: MigrateOptions & { url?: string } = { say: console.error },
): Promise<void> {
  const isPooled = url !== directUrl
  // A broken connection fails its queries. Errors of closing connections do not matter.
  const onLost = () => undefined
  const main = { db: connect(url, { max: 1, isPooled, onLost }), url, variable: 'DATABASE_URL' } satisfies Checked
  const patient = connect(directUrl, { max: 1, isPatient: true, onLost })
  const db = connect(directUrl, { max: 1, onLost })
  const direct = { db, url: directUrl, variable: isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL' } satisfies Checked
  try {
    await checkVersion(direct)
    await checkVersion(main)
    await checkRights(direct)
    await checkSearchPath(db, { isInstalled: false })
    await checkNotifications(main, direct)
    await checkSettings(direct)
    if ((await pendingMigrations(db)).length > 0) await migrate(patient, options)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The database ${placeOf(directUrl)} cannot be migrated: ${reasonOf(error)}.`, { cause: error })
  } finally {
    await Promise.all([db, main.db, patient].map((each) => each.destroy()))
  }
}

/** Throws a StartError unless the database is usable and has all migrations of this release. Changes nothing. */
export async function checkDatabase(url: string): Promise<void> {
  const db = connect(url, { max: 1 })
  try {
    await checkVersion({ db, url, variable: 'DATABASE_URL' })
    await checkSearchPath(db, { isInstalled: true })
    if ((await pendingMigrations(db)).length > 0)
      throw new StartError(
        `The database ${placeOf(url)} has not been migrated to this release: start Switchboard once.`,
      )
  } finally {
    await db.destroy()
  }
}
