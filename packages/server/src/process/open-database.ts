import { connect, type ConnectOptions } from '@switchboard/database/connection/connect'
import { checkRights } from '@switchboard/database/start/check-rights'
import { checkSearchPath } from '@switchboard/database/start/check-search-path'
import { checkSettings } from '@switchboard/database/start/check-settings'
import { parseDatabaseUrl } from '@switchboard/database/connection/database-url'
import { migrate, pendingMigrations } from '@switchboard/database/migrate'
import { reasonOf } from '@switchboard/database/start/reason'
import { type Checked, checkNotifications, checkVersion, placeOf } from '@switchboard/database/start/start-checks'
import { StartError } from '@switchboard/database/start/start-error'
import { type Patience, START_MS, untilStarted } from '@switchboard/database/start/until-started'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import type { Settings } from '#src/settings/env.ts'
import type { Log } from './log.ts'
import { repeatedFailures } from './repeated-failures.ts'
import type { Lifecycle } from './serve.ts'

/** Both URLs of the database. */
export type DatabaseUrls = {
  /** For statements and transactions. May lead through a transaction pooler when `directUrl` is another URL. */
  url: string
  /** Leads to PostgreSQL itself: for migrations, jobs and the listening connection. */
  directUrl: string
}

/** The database of a server that is started separately. Throws a StartError without `DATABASE_URL`. */
export function requireDatabase({ databaseUrl, databaseDirectUrl }: Settings): DatabaseUrls {
  if (databaseUrl === undefined) throw new StartError('DATABASE_URL must name the database that the servers share.')
  return { url: databaseUrl, directUrl: databaseDirectUrl ?? databaseUrl }
}

/** The patience of a start, from the settings. Lines about the wait go to the log. */
export function patienceOf({ signal }: Pick<Lifecycle, 'signal'>, { startSeconds }: Settings, log: Log): Patience {
  return { ms: startSeconds * 1_000, say: (line) => log.warn(line), signal }
}

/**
 * Checks and migrates the database, and opens the main pool of `max` connections. Waits while no PostgreSQL answers.
 * Throws a StartError with host, port, database and reason, never the password, when there is no usable PostgreSQL.
 */
export async function openDatabase(
  urls: DatabaseUrls,
  { max, log, patience }: { max: number; log: Log; patience: Patience },
): Promise<Kysely<Database>> {
  await migrateDatabase(urls.directUrl, { url: urls.url, patience, announce: (line) => log.info(line) })
  for (const sentence of encryptionWarnings(urls)) log.warn(sentence)
  return openPool(urls, { max }, log)
}

/**
 * A sentence for each URL without verified encryption: someone on the network could read the traffic, or answer in
 * place of the database. None for a database on this machine, and none for `sslmode=disable`, which is a choice.
 */
export function encryptionWarnings(given: DatabaseUrls): string[] {
  const urls = new Map([
    [given.directUrl, 'DATABASE_DIRECT_URL'],
    [given.url, 'DATABASE_URL'],
  ])
  return [...urls].flatMap(([url, variable]) => encryptionWarning(url, variable))
}

/** Like `encryptionWarnings`, but for one URL. */
export function encryptionWarning(url: string, variable: string): string[] {
  const { hosts, encryption, place } = parseDatabaseUrl(url)
  if (encryption === 'verified' || encryption === 'disabled' || hosts.every(({ isLocal }) => isLocal)) return []
  const fault = encryption === 'none' ? 'is not encrypted' : 'does not check the certificate of the server'
  return [
    `The connection to the database ${place} ${fault}. Add sslmode=verify-full to ${variable}, or sslmode=disable in an isolated network.`,
  ]
}

/** Opens a pool for statements and transactions. */
export function openPool({ url, directUrl }: DatabaseUrls, options: ConnectOptions, log: Log): Kysely<Database> {
  const outcomes = repeatedFailures(log, 'the connection to the database')
  return connect(url, { ...options, isPooled: url !== directUrl, onLost: outcomes.failed, onConnect: outcomes.worked })
}

/** For commands. Lines about the wait are printed on the terminal. */
const OF_COMMANDS: Patience = { ms: START_MS, say: console.error, signal: new AbortController().signal }

/**
 * Checks both connections to the database, and runs pending migrations on a separate connection, after any migration by
 * another process. Waits while no PostgreSQL answers. Throws a StartError when there is no usable PostgreSQL or a
 * migration fails.
 */
export async function migrateDatabase(
  directUrl: string,
  {
    url = directUrl,
    patience = OF_COMMANDS,
    announce = patience.say,
  }: { url?: string; patience?: Patience; announce?: Patience['say'] } = {},
): Promise<void> {
  const isPooled = url !== directUrl
  // A broken connection fails its queries. Errors of closing connections do not matter.
  const options = { max: 1, isPatient: true, onLost: () => undefined }
  const main = { db: connect(url, { ...options, isPooled }), url, variable: 'DATABASE_URL' } satisfies Checked
  const db = connect(directUrl, options)
  const direct = { db, url: directUrl, variable: isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL' } satisfies Checked
  const check = async () => {
    await checkVersion(direct)
    await checkVersion(main)
    await checkRights(direct)
    await checkSearchPath(db, { isInstalled: false })
    await checkNotifications(main, direct)
    await checkSettings(direct)
    return await pendingMigrations(db)
  }
  const place = `the database ${placeOf(directUrl)}`
  try {
    const pending = await untilStarted(place, check, patience)
    // A migration announces itself.
    const silent = { ...patience, say: () => undefined }
    if (pending.length > 0)
      await untilStarted(
        place,
        () => migrate(db, { ...patience, ms: Math.max(patience.ms, START_MS), announce }),
        silent,
      )
  } catch (error) {
    if (error instanceof StartError || patience.signal.aborted) throw error
    throw new StartError(`The database ${placeOf(directUrl)} cannot be migrated: ${reasonOf(error)}.`, { cause: error })
  } finally {
    await Promise.all([db, main.db].map((each) => each.destroy()))
  }
}

/** Throws a StartError unless the database is usable and has all migrations of this release. Changes nothing. */
export async function checkDatabase(url: string): Promise<void> {
  const db = connect(url, { max: 1, isPatient: true })
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
