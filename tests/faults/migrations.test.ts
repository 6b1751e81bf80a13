import { rmSync } from 'node:fs'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { urlOfDatabase } from '@switchboard/testing/test-database'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import released from '#tests/laws/released-migrations.json' with { type: 'json' }
import { dataFolder, SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// Starts while another process migrates, and starts over databases of other releases.

const server = connect(inject('postgresUrl'))
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
  const signalledAt = performance.now()
  process.child.kill('SIGTERM')
  expect(await process.ended).toEqual({ code: 0, stderr: '' })
  expect(performance.now() - signalledAt).toBeLessThan(2_000)
})

test('after a time limit one sentence ends the start', async () => {
  await using database = await emptyDatabase()
  await using holder = await holdLock(database.db)
  await expect(migrate(database.db, { ms: 100 })).rejects.toThrow(
    `Another process (PostgreSQL backend ${holder.pid}) has been migrating the database for 0 seconds. Start again when it has ended.`,
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
  const names = Object.keys(released)
  const last = names.at(-1)?.replace('.sql', '')
  const migrated = migrate(database.db, { say: (line) => lines.push(line) })
  await expect.poll(() => lines).toEqual([`Migrating the empty database to ${last}, ${names.length} migrations …`])
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
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.db)
  expect(rows.map(({ name }) => `${name}.sql`)).toEqual(Object.keys(released))
  expect(await verifyAuditChain(database.db)).toMatchObject({ state: 'holds' })
})

test('a release starts on a newer schema, until a migration of the newer release needs a later floor', async () => {
  await using database = await emptyDatabase()
  await migrate(database.db)
  await sql`insert into kysely_migration values ('9998_later', ''), ('9999_latest', '')`.execute(database.db)
  const settings = { DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET }
  const older = startProcess({ ...settings, PORT: '0' }, 'apps/ai-api/src/main.ts')
  await expect.poll(older.output).toContain('Switchboard AI API is ready')
  older.child.kill('SIGTERM')
  expect((await older.ended).code).toBe(0)

  await database.db.updateTable('schema_floor').set({ migration: '9998_later' }).execute()
  expect(await startProcess(settings, 'apps/ai-api/src/main.ts').ended).toEqual({
    code: 1,
    stderr: 'The database is of a newer Switchboard than this one.\n',
  })
})

test('a newer schema without a migration of this release is refused', async () => {
  await using database = await emptyDatabase()
  await migrate(database.db)
  const [newest = ''] = Object.keys(released).toReversed()
  const missing = newest.replace('.sql', '')
  await database.db.updateTable('schema_floor').set({ migration: '0001_tenants' }).execute()
  await sql`update kysely_migration set name = '9999_later' where name = ${missing}`.execute(database.db)
  await expect(migrate(database.db)).rejects.toThrow(`it has 9999_later, but not ${missing}`)
})

test('db:migrate lists and tries pending migrations without a change, then applies them', async () => {
  await using database = await emptyDatabase()
  const run = async (...args: string[]) => {
    const process = startProcess({ DATABASE_URL: database.url }, 'scripts/db-migrate.ts', ...args)
    const { code } = await process.ended
    return [code, process.output()]
  }
  const names = Object.keys(released).join(', ').replaceAll('.sql', '')
  expect(await run('status')).toEqual([1, `Pending: ${names}\n`])
  expect(await run('dry-run')).toEqual([0, `Succeeded and rolled back: ${names}\n`])
  expect(await run('status')).toEqual([1, `Pending: ${names}\n`])
  const last = Object.keys(released).at(-1)?.replace('.sql', '')
  const announced = `Migrating the empty database to ${last}, ${Object.keys(released).length} migrations …\n`
  expect(await run()).toEqual([0, `The database has all migrations of this release.\n${announced}`])
  expect(await run('status')).toEqual([0, 'No migration is pending.\n'])
  expect(await run('dry-run')).toEqual([0, 'No migration is pending.\n'])
})

test('db:migrate refuses another word, and waits for no lock in a dry run', async () => {
  await using database = await emptyDatabase()
  const settings = { DATABASE_URL: database.url }
  expect(await startProcess(settings, 'scripts/db-migrate.ts', 'down').ended).toEqual({
    code: 1,
    stderr:
      'Run "npm run db:migrate", or to change nothing "npm run db:migrate -- status" or "npm run db:migrate -- dry-run".\n',
  })
  await using holder = await holdLock(database.db)
  expect(await startProcess(settings, 'scripts/db-migrate.ts', 'dry-run').ended).toEqual({
    code: 1,
    stderr: `Another process (PostgreSQL backend ${holder.pid}) is migrating the database.\n`,
  })
})

const OUTDATED =
  'The database is of a Switchboard before 0.2.0: export its lists as CSV with that version, or dump it with pg_dump, then start with an empty database or another DATA_DIR.'
const SCRIPTS = [
  'apps/admin-api/src/main.ts',
  'scripts/audit-verify.ts',
  'scripts/db-migrate.ts',
  'scripts/db-recount.ts',
] as const

describe.each([
  { database: 'from before 0.2.0', migrations: ['0001_audit', '0002_tenants'], sentence: OUTDATED },
  {
    database: 'of a later release',
    migrations: [...Object.keys(released).map((file) => file.replace('.sql', '')), '9999_later'],
    sentence: 'The database is of a newer Switchboard than this one.',
  },
])('a database $database', ({ migrations, sentence }) => {
  test.each(SCRIPTS)('is refused unchanged by %s, in one sentence', async (script) => {
    await using database = await emptyDatabase()
    await makeOldDatabase(database.db, migrations)
    const settings = { DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET }
    expect(await startProcess(settings, script).ended).toEqual({ code: 1, stderr: `${sentence}\n` })
    expect(await contentOf(database.db)).toEqual(unchanged(migrations))
  })
})

test('a data folder from before 0.2.0 is refused unchanged, in one sentence', async () => {
  const dataDir = dataFolder()
  try {
    await onEmbedded(dataDir, (db) => makeOldDatabase(db, ['0001_audit']))
    expect(await startProcess({ DATA_DIR: dataDir }).ended).toEqual({ code: 1, stderr: `${OUTDATED}\n` })
    await onEmbedded(dataDir, async (db) => expect(await contentOf(db)).toEqual(unchanged(['0001_audit'])))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** A database with these migrations and one tenant. */
async function makeOldDatabase(db: Kysely<Database>, migrations: string[]): Promise<void> {
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  await sql`insert into kysely_migration select name, '' from unnest(${migrations}::text[]) as name`.execute(db)
  await sql`create table tenants as select 'Acme' as name`.execute(db)
}

/** All tables outside of the system's schemas, and the rows in the tables of `makeOldDatabase`. */
async function contentOf(db: Kysely<Database>) {
  const { rows } = await sql<{ tables: string; migrations: number; tenants: number }>`
    select string_agg(tablename, ', ' order by tablename) as tables,
      (select count(*) from kysely_migration) as migrations, (select count(*) from tenants) as tenants
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  return rows
}

function unchanged(migrations: string[]) {
  return [{ tables: 'kysely_migration, tenants', migrations: migrations.length, tenants: 1 }]
}

async function onEmbedded(dataDir: string, work: (db: Kysely<Database>) => Promise<void>): Promise<void> {
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
