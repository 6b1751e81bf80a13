import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { urlOfDatabase } from '@switchboard/testing/test-database'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import released from '#tests/laws/released-migrations.json' with { type: 'json' }
import { SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// A start while another process migrates.

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
  await expect.poll(process.said, { timeout: 15_000 }).toContain(line)
  const toldAt = performance.now()
  process.child.kill('SIGTERM')
  expect(await process.ended).toEqual({ code: 0, complaint: '' })
  expect(performance.now() - toldAt).toBeLessThan(2_000)
})

test('after a time limit one sentence ends the start', async () => {
  await using database = await emptyDatabase()
  await using holder = await holdLock(database.db)
  await expect(migrate(database.db, { patienceMs: 100 })).rejects.toThrow(
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
  await migrate(database.db, { patienceMs: 0 })
  await another[Symbol.asyncDispose]()
})

test('a long migration is announced', async () => {
  await using database = await emptyDatabase()
  const blocker = await database.db.startTransaction().execute()
  await sql`create table audit_log ()`.execute(blocker)
  const said: string[] = []
  const migrated = migrate(database.db, { say: (line) => said.push(line) })
  await expect
    .poll(() => said, { timeout: 10_000 })
    .toEqual([expect.stringMatching(/^Migrating the database: 0001_tenants, .*, 0012_console_files …$/)])
  await blocker.rollback().execute()
  await migrated
})

test('after a kill -9 in the middle of the migrations the next start completes them', async () => {
  await using database = await emptyDatabase()
  const blocker = await database.db.startTransaction().execute()
  await sql`create table tenants ()`.execute(blocker)
  const killed = startProcess({ DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET }, 'apps/ai-api/src/main.ts')
  await expect.poll(killed.said, { timeout: 15_000 }).toContain('Migrating the database: 0001_tenants')
  killed.child.kill('SIGKILL')
  await killed.ended
  await blocker.rollback().execute()
  await migrate(database.db)
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.db)
  expect(rows.map(({ name }) => `${name}.sql`)).toEqual(Object.keys(released))
  expect(await verifyAuditChain(database.db)).toMatchObject({ state: 'holds' })
})

const refused = [
  {
    database: 'from before 0.2.0',
    migrations: ['0001_audit', '0002_tenants'],
    sentence:
      /is of a Switchboard before 0\.2\.0: export its lists as CSV with that version, or dump it with pg_dump, and start with an empty database or DATA_DIR\.$/,
  },
  {
    database: 'of a later release',
    migrations: [...Object.keys(released).map((file) => file.replace('.sql', '')), '9999_later'],
    sentence: /is of a newer Switchboard than this one\.$/,
  },
]

test.each(refused)('a database $database is refused unchanged, in one sentence', async ({ migrations, sentence }) => {
  await using database = await emptyDatabase()
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    database.db,
  )
  await sql`insert into kysely_migration select name, '' from unnest(${migrations}::text[]) as name`.execute(
    database.db,
  )
  const settings = { DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET }
  const { code, complaint } = await startProcess(settings, 'apps/admin-api/src/main.ts').ended
  expect(code).toBe(1)
  expect(complaint.trim()).toMatch(sentence)
  expect(complaint.trim().split('\n')).toHaveLength(1)
  const { rows } = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(database.db)
  expect(rows).toEqual([{ tablename: 'kysely_migration' }])
})

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
