import { connect } from '@switchboard/database/connect'
import { migrate, type MigrateOptions } from '@switchboard/database/migrate'
import { NewerDatabaseError, StartError } from '@switchboard/database/start-error'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import type { Settings } from './env.ts'
import type { Log } from './log.ts'

/** The oldest PostgreSQL that the migrations are tried on (design §3). */
const OLDEST = 15

/**
 * Opens the main pool on `url` and migrates; `signal` ends the wait for another process that migrates. Throws a StartError with host, port, database and reason, never the
 * password, when there is no usable PostgreSQL.
 */
export async function openDatabase(url: string, log: Log, signal: AbortSignal): Promise<Kysely<Database>> {
  await migrateDatabase(url, { say: (line) => log.warn(line), signal })
  return connect(url, { onLost: (error) => log.warn({ err: error }, 'database connection lost') })
}

/**
 * Migrates on a connection of its own, which may take its time and wait for another process that migrates. Throws a
 * StartError when there is no usable PostgreSQL or a migration fails.
 */
export async function migrateDatabase(url: string, options: MigrateOptions = { say: console.error }): Promise<void> {
  // A connection that breaks fails what is sent over it; one that is closing is of no interest any more.
  const db = connect(url, { max: 1, isPatient: true, onLost: () => undefined })
  try {
    await refuseOldPostgres(db, url)
    await migrate(db, options)
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(migrationSentence(error, url), { cause: error })
  } finally {
    await db.destroy()
  }
}

function migrationSentence(error: unknown, url: string): string {
  if (error instanceof NewerDatabaseError)
    return `The database ${placeOf(url)} is of a newer Switchboard than this one.`
  return `The database ${placeOf(url)} cannot be migrated: ${reasonOf(error)}.`
}

/** Throws a StartError unless there is a usable PostgreSQL that a server has been at, and leaves it as it is. */
export async function checkDatabase(url: string): Promise<void> {
  const db = connect(url, { max: 1 })
  try {
    await refuseOldPostgres(db, url)
    const { rows } = await sql<{ empty: boolean }>`select to_regclass('audit_log') is null as empty`.execute(db)
    if (rows[0]?.empty) throw new StartError(`The database ${placeOf(url)} is empty: start Switchboard once.`)
  } finally {
    await db.destroy()
  }
}

/** The database of a server that runs alone. Throws a StartError when none is named. */
export function requireDatabaseUrl({ databaseUrl }: Settings): string {
  if (databaseUrl === undefined) throw new StartError('DATABASE_URL must name the database that the servers share.')
  return databaseUrl
}

async function refuseOldPostgres(db: Kysely<Database>, url: string): Promise<void> {
  const version = await serverVersion(db).catch((error: unknown) => {
    throw new StartError(`The database ${placeOf(url)} cannot be used: ${reasonOf(error)}. Check DATABASE_URL.`, {
      cause: error,
    })
  })
  if (version < OLDEST)
    throw new StartError(`The database ${placeOf(url)} is PostgreSQL ${version}; ${OLDEST} or later is needed.`)
}

async function serverVersion(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  return Math.floor(Number(rows[0]?.version) / 10_000)
}

function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? hostname}:${port === '' ? 5432 : port}${pathname}`
}

function reasonOf(error: unknown): string {
  // Every address of a name was tried: the first failure says enough.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? cause.code : undefined
  if (code === 'ECONNREFUSED') return 'nothing answers there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host'
  if (/timeout|terminated unexpectedly/i.test(cause.message)) return 'it does not answer'
  return cause.message
}
