import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { pause } from './pause.ts'
import { StartError } from '#src/start/start-error.ts'
import { type Patience, START_MS } from '#src/start/until-started.ts'
import type { Database } from './tables.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The advisory lock of a migration. */
const LOCK = sql.raw('3853314791062309107')

/** Retry interval for a lock that another process holds, in milliseconds. */
const RETRY_MS = 100

/**
 * `announce` receives one line when the migrations begin. By default this is `say`, which also gets the lines about
 * waiting.
 */
type MigrateOptions = Partial<Patience & { announce: Patience['say'] }>

/** How long a start waits or migrates before reporting the reason, in milliseconds. */
const QUIET_MS = 5_000

/**
 * Brings the database to the newest version: runs all pending migrations in one transaction, under an advisory lock. When
 * many processes start at once, only one of them migrates; if it is killed, the previous version remains. The lock ends
 * with the transaction, so a connection pooler cannot keep it.
 * Throws when a migration fails, and a StartError when another process holds the lock for too long or the database is
 * of a release with other migrations.
 */
export async function migrate(db: Kysely<Database>, options: MigrateOptions = {}): Promise<void> {
  const { say = () => undefined, announce = say, signal = new AbortController().signal, ms = START_MS } = options
  if ((await pendingMigrations(db)).length === 0) return
  const startedAt = performance.now()
  let isReported = false
  while (!(await migrateIfFree(db, announce))) {
    const waitedMs = performance.now() - startedAt
    if (waitedMs > ms)
      throw new StartError(
        `Another process${await holder(db)} has been migrating the database for ${Math.round(waitedMs / 1_000)} seconds. Start again when it has ended.`,
      )
    if (waitedMs > QUIET_MS && !isReported) {
      say(`Waiting for another process${await holder(db)} that migrates the database …`)
      isReported = true
    }
    await pause(RETRY_MS, signal)
    signal.throwIfAborted()
  }
}

/**
 * Runs all pending migrations and rolls them back. Returns their names. Throws when a migration fails, and a StartError as
 * `migrate` does.
 */
export async function tryMigrations(db: Kysely<Database>): Promise<string[]> {
  const trx = await db.startTransaction().execute()
  try {
    return await migrateWithin(trx)
  } finally {
    await trx.rollback().execute()
  }
}

/**
 * Runs the pending migrations up to `last`, by default all, in the caller's transaction and returns their names. Other
 * processes can migrate only after it. Throws when a migration fails, and a StartError as `migrate` does.
 */
export async function migrateWithin(trx: Transaction<Database>, last?: string): Promise<string[]> {
  await lockMigrations(trx)
  const pending = await pendingMigrations(trx)
  const chosen = last === undefined ? pending : pending.slice(0, pending.indexOf(last) + 1)
  for (const name of chosen) await run(trx, name)
  return chosen
}

/** Keeps other processes from migrating until the end of the transaction. Throws a StartError when one is migrating. */
export async function lockMigrations(trx: Transaction<Database>): Promise<void> {
  if (!(await takeLock(trx))) throw new StartError(`Another process${await holder(trx)} is migrating the database.`)
}

/** False when another process holds the lock. */
async function migrateIfFree(db: Kysely<Database>, announce: Patience['say']): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    if (!(await takeLock(trx))) return false
    const pending = await pendingMigrations(trx)
    if (pending.length > 0) announce(await announcement(pending))
    for (const name of pending) await run(trx, name)
    return true
  })
}

/** "Migrating the database from 0017_deletions to 0019_later, 2 migrations …" */
async function announcement(pending: readonly string[]): Promise<string> {
  const names = await allMigrations()
  const from = names[names.length - pending.length - 1]
  const count = pending.length === 1 ? '1 migration' : `${pending.length} migrations`
  return `Migrating the ${from === undefined ? 'empty database' : `database from ${from}`} to ${names.at(-1)}, ${count} …`
}

/** Takes the lock until the end of the transaction. False when another process has it. */
async function takeLock(trx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql<{ is_free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as is_free`.execute(trx)
  return rows[0]?.is_free === true
}

/** The migrations of this release, in order. */
export async function allMigrations(): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  return files.map((file) => file.replace('.sql', '')).toSorted()
}

/** Whether this product has migrated the database. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  return await hasTable(db, 'migrations')
}

async function hasTable(db: Kysely<Database>, name: string): Promise<boolean> {
  const { rows } = await sql<{ is_found: boolean }>`
    select to_regclass(quote_ident(current_schema()) || '.' || ${name}) is not null as is_found`.execute(db)
  return rows[0]?.is_found === true
}

/**
 * The pending migrations, in order. Throws a StartError for a database of an unreleased state, and for a newer database
 * that this release does not work on. If it does work on the newer database, nothing is pending.
 */
export async function pendingMigrations(db: Kysely<Database>): Promise<string[]> {
  const names = await allMigrations()
  if (!(await isMigrated(db))) {
    // This table was used in development, before the first release.
    if (await hasTable(db, 'kysely_migration')) throw unreleasedState()
    return names
  }
  const done = await db.selectFrom('migrations').select(['name', 'sha256']).orderBy('name').execute()
  const known = done.filter(({ name }) => names.includes(name))
  for (const { name, sha256 } of known) if ((await readMigration(name)).sha256 !== sha256) throw unreleasedState()
  const unknown = done.find(({ name }) => !names.includes(name))
  const isNewer = unknown !== undefined
  if (isNewer && !names.includes((await floorOf(db)) ?? ''))
    throw new NewerDatabaseError({ own: names.at(-1), newest: done.at(-1)?.name, firstUnknown: unknown.name })
  const isPrefix = known.every(({ name }, n) => name === names[n])
  if (!isPrefix || (isNewer && known.length < names.length)) {
    const missing = names.find((name) => done.every((migration) => migration.name !== name))
    throw new Error(`it has ${done.at(-1)?.name}, but not ${missing}`)
  }
  return names.slice(known.length)
}

/** A later release has migrated the database, and this release cannot work on its schema. */
export class NewerDatabaseError extends StartError {
  /** The first migration of the database that this release does not have. */
  readonly firstUnknown: string
  constructor({
    own = '',
    newest = '',
    firstUnknown,
  }: Record<'own' | 'newest', string | undefined> & { firstUnknown: string }) {
    super(
      `The database is of a newer Switchboard than this one: it has the migrations up to ${newest}, this release up to ${own}. Start the newer release, or restore a backup from before its upgrade.`,
    )
    this.firstUnknown = firstUnknown
  }
}

/** The database has a migration whose text is not the text of this release. */
function unreleasedState(): StartError {
  return new StartError(
    'The database was made by an unreleased state of Switchboard, whose tables were different. Start with an empty database or another DATA_DIR; what you need from this one, export as CSV with that state.',
  )
}

/** The migration that a release must have to work on the schema; undefined in a damaged schema. */
async function floorOf(db: Kysely<Database>): Promise<string | undefined> {
  return (await db.selectFrom('schema_floor').select('migration').executeTakeFirst())?.migration
}

/** The text of a migration, and its hash, which does not depend on line endings. */
async function readMigration(name: string): Promise<{ text: string; sha256: string }> {
  const text = (await readFile(new URL(`${name}.sql`, folder), 'utf8')).replaceAll('\r\n', '\n')
  return { text, sha256: createHash('sha256').update(text).digest('hex') }
}

/** A hash of the texts of all migrations up to `last`: equal hashes are equal schemas. */
export async function schemaHash(last: string): Promise<string> {
  const names = (await allMigrations()).filter((name) => name <= last)
  const hashes = await Promise.all(names.map(async (name) => (await readMigration(name)).sha256))
  return createHash('sha256').update(hashes.join()).digest('hex')
}

/** Runs a migration and records its name and its hash. */
async function run(trx: Transaction<Database>, name: string): Promise<void> {
  const { text, sha256 } = await readMigration(name)
  await sql`create table if not exists migrations (
    name text primary key, sha256 text not null, applied_at timestamptz(3) not null default clock_timestamp()
  )`.execute(trx)
  await sql.raw(text).execute(trx)
  await trx.insertInto('migrations').values({ name, sha256 }).execute()
}

/** Names the PostgreSQL backend that holds the lock. Empty if it has just ended. */
async function holder(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1 and (classid::bigint << 32) | objid::bigint = ${LOCK}
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  const [row] = rows
  return row === undefined ? '' : ` (PostgreSQL backend ${row.pid})`
}
