import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { connect } from '@switchboard/database/connection/connect'
import { allMigrations, migrate } from '@switchboard/database/migrate'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { dataFolder, SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// Starts while another process migrates, and starts over databases of other releases.

const names = await allMigrations()
const [newest = ''] = names.toReversed()

// Without the time limit of statements: to drop a database waits for every connection of a busy machine.
const server = connect(inject('postgresUrl'), { isPatient: true })
afterAll(async () => await server.destroy())

test('a waiting server names the reason, and SIGTERM ends the wait with 0', async () => {
  await using database = await emptyDatabase()
  await using holder = await holdLock(database.db)
  const process = startProcess(
    { DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET },
    'apps/admin-api/src/main.ts',
  )
  const line = `Waiting for another process (PostgreSQL backend ${holder.pid}) that migrates the database …`
  await expect.poll(process.output).toContain(line)
  process.child.kill('SIGTERM')
  // The other process still holds the lock.
  expect(await process.ended).toEqual({ code: 0, stderr: '' })
})

test('after a time limit one sentence ends the start', async () => {
  await using database = await emptyDatabase()
  await using holder = await holdLock(database.db)
  await expect(migrate(database.db, { ms: 100 })).rejects.toThrow(
    new RegExp(
      `^Another process \\(PostgreSQL backend ${holder.pid}\\) has been migrating the database for \\d+ seconds\\. Start again when it has ended\\.$`,
    ),
  )
})

test('a start goes on as soon as the other process has ended, and needs no lock when nothing is pending', async () => {
  await using database = await emptyDatabase()
  const holder = await holdLock(database.db)
  const migrated = migrate(database.db)
  await holder[Symbol.asyncDispose]()
  await migrated
  const another = await holdLock(database.db)
  await migrate(database.db, { ms: 0 })
  await another[Symbol.asyncDispose]()
})

test('a long migration is announced', async () => {
  await using database = await emptyDatabase()
  const blocker = await database.db.startTransaction().execute()
  await sql`create table audit_log ()`.execute(blocker)
  const lines: string[] = []
  const migrated = migrate(database.db, { say: (line) => lines.push(line) })
  await expect.poll(() => lines).toEqual([`Migrating the empty database to ${newest}, ${names.length} migrations …`])
  await blocker.rollback().execute()
  await migrated
})

test('after a kill -9 in the middle of the migrations the next start completes them', async () => {
  await using database = await emptyDatabase()
  const blocker = await database.db.startTransaction().execute()
  await sql`create table tenants ()`.execute(blocker)
  const settings = { DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET, LOG_LEVEL: 'info' }
  const killed = startProcess(settings, 'apps/ai-api/src/main.ts')
  await expect.poll(killed.output).toContain('Migrating the empty database to')
  killed.child.kill('SIGKILL')
  await killed.ended
  await blocker.rollback().execute()
  await migrate(database.db)
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(database.db)
  expect(rows.map(({ name }) => name)).toEqual(names)
  expect(await verifyAuditChain(database.db)).toMatchObject({ state: 'holds' })
})

test('a release starts on a newer schema, until a migration of the newer release needs a later floor', async () => {
  await using database = await emptyDatabase()
  await migrate(database.db)
  await sql`insert into migrations values ('9998_later', ''), ('9999_latest', '')`.execute(database.db)
  const settings = { DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET }
  const older = startProcess({ ...settings, PORT: '0' }, 'apps/ai-api/src/main.ts')
  await expect.poll(older.output).toContain('Switchboard AI API is ready')
  older.child.kill('SIGTERM')
  expect((await older.ended).code).toBe(0)

  await database.db.updateTable('schema_floor').set({ migration: '9998_later' }).execute()
  expect(await startProcess(settings, 'apps/ai-api/src/main.ts').ended).toEqual({
    code: 1,
    stderr: `${newerThan('9999_latest')}\n`,
  })
})

test('a newer schema without a migration of this release is refused', async () => {
  await using database = await emptyDatabase()
  await migrate(database.db)
  await database.db.updateTable('schema_floor').set({ migration: '0001_schema' }).execute()
  await sql`update migrations set name = '9999_later' where name = ${newest}`.execute(database.db)
  await expect(migrate(database.db)).rejects.toThrow(`it has 9999_later, but not ${newest}`)
})

test('db:migrate lists and tries pending migrations without a change, then applies them', async () => {
  await using database = await emptyDatabase()
  const run = async (...args: string[]) => {
    const process = startProcess({ DATABASE_URL: database.url }, 'scripts/db-migrate.ts', ...args)
    const { code } = await process.ended
    return [code, process.output()]
  }
  const list = names.join(', ')
  expect(await run('status')).toEqual([1, `Pending: ${list}\n`])
  expect(await run('dry-run')).toEqual([0, `Succeeded and rolled back: ${list}\n`])
  expect(await run('status')).toEqual([1, `Pending: ${list}\n`])
  const announced = `Migrating the empty database to ${newest}, ${names.length} migrations …\n`
  expect(await run()).toEqual([0, `The database has all migrations of this release.\n${announced}`])
  expect(await run('status')).toEqual([0, 'No migration is pending.\n'])
  expect(await run('dry-run')).toEqual([0, 'No migration is pending.\n'])
})

test('db:migrate refuses another word, and waits for no lock in a dry run', async () => {
  await using database = await emptyDatabase()
  const settings = { DATABASE_URL: database.url }
  expect(await startProcess(settings, 'scripts/db-migrate.ts', 'down').ended).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^These arguments are not understood\.\n\nnpm run db:migrate  /),
  })
  await using holder = await holdLock(database.db)
  expect(await startProcess(settings, 'scripts/db-migrate.ts', 'dry-run').ended).toEqual({
    code: 1,
    stderr: `Another process (PostgreSQL backend ${holder.pid}) is migrating the database.\n`,
  })
})

function newerThan(migration: string): string {
  return `The database is of a newer Switchboard than this one: it has the migrations up to ${migration}, this release up to ${newest}. Start the newer release, or restore a backup from before its upgrade.`
}

const UNRELEASED =
  'The database was made by an unreleased state of Switchboard, whose tables were different. Start with an empty database or another DATA_DIR; what you need from this one, export as CSV with that state.'
const SCRIPTS = [
  'apps/admin-api/src/main.ts',
  'scripts/audit-verify.ts',
  'scripts/db-migrate.ts',
  'scripts/db-recount.ts',
] as const

describe.each([
  {
    database: 'from before the first release',
    make: (db: Kysely<Database>) => sql`create table kysely_migration as select '0001_tenants' as name`.execute(db),
    sentence: UNRELEASED,
  },
  {
    database: 'with another text of a migration',
    make: async (db: Kysely<Database>) => {
      await migrate(db)
      await db.updateTable('migrations').set({ sha256: 'of another text' }).where('name', '=', newest).execute()
    },
    sentence: UNRELEASED,
  },
  {
    database: 'of a later release',
    make: async (db: Kysely<Database>) => {
      await migrate(db)
      await db.insertInto('migrations').values({ name: '9999_later', sha256: '' }).execute()
      await db.updateTable('schema_floor').set({ migration: '9999_later' }).execute()
    },
    sentence: newerThan('9999_later'),
  },
])('a database $database', ({ make, sentence }) => {
  test.each(SCRIPTS)('is refused unchanged by %s, in one sentence', async (script) => {
    await using database = await emptyDatabase()
    await make(database.db)
    const before = await contentOf(database.db)
    const settings = { DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET }
    expect(await startProcess(settings, script).ended).toEqual({ code: 1, stderr: `${sentence}\n` })
    expect(await contentOf(database.db)).toEqual(before)
  })
})

test('a data folder of an unreleased state is refused unchanged, in one sentence', async () => {
  const dataDir = dataFolder()
  try {
    await onEmbedded(dataDir, (db) => sql`create table kysely_migration ()`.execute(db))
    expect(await startProcess({ DATA_DIR: dataDir }).ended).toEqual({ code: 1, stderr: `${UNRELEASED}\n` })
    await onEmbedded(dataDir, async (db) => expect(await contentOf(db)).toEqual([{ name: 'kysely_migration' }]))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a data folder of an earlier PostgreSQL is refused in one sentence', async () => {
  const dataDir = dataFolder()
  try {
    await onEmbedded(dataDir, (db) => migrate(db))
    writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '17\n')
    expect(await startProcess({ DATA_DIR: dataDir }).ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /postgres was written by PostgreSQL 17, but this Switchboard brings 18\. Make a backup/,
      ),
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** The names of all tables outside of the schemas of the system. */
async function contentOf(db: Kysely<Database>) {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
    order by tablename`.execute(db)
  return rows
}

async function onEmbedded(dataDir: string, work: (db: Kysely<Database>) => Promise<unknown>): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false })
  const db = connect(postgres.url, { max: 1, onLost: () => undefined })
  try {
    await work(db)
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

type EmptyDatabase = { url: string; db: Kysely<Database> } & AsyncDisposable

async function emptyDatabase(): Promise<EmptyDatabase> {
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`
  await sql`create database ${sql.id(name)}`.execute(server)
  const url = urlOfDatabase(inject('postgresUrl'), name)
  const db = connect(url, { isPatient: true, onLost: () => undefined })
  const drop = async () => {
    await db.destroy()
    await sql`drop database ${sql.id(name)} with (force)`.execute(server)
  }
  return { url, db, [Symbol.asyncDispose]: drop }
}

/** Holds the lock of a migrating process. */
async function holdLock(db: Kysely<Database>): Promise<{ pid: number } & AsyncDisposable> {
  const trx = await db.startTransaction().execute()
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid from pg_advisory_xact_lock(3853314791062309107)`.execute(trx)
  return { pid: rows[0]?.pid ?? 0, [Symbol.asyncDispose]: () => trx.rollback().execute() }
}
