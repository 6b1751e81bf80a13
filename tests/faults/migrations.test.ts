import { readFile } from 'node:fs/promises'
import { verifyAuditChain } from '@switchboard/database/audit-chain'
import { connect } from '@switchboard/database/connect'
import { migrate } from '@switchboard/database/migrate'
import { urlOfDatabase } from '@switchboard/testing/test-database'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import released from '#tests/laws/released-migrations.json' with { type: 'json' }
import { SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// A start while another process migrates.

const MIGRATIONS = new URL('../../packages/database/src/migrations/', import.meta.url)

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
    .toEqual([expect.stringMatching(/^Migrating the database: 0001_audit, .*, 0021_audit_row_hash.* …$/)])
  await blocker.rollback().execute()
  await migrated
})

test('after a kill -9 in the middle of the migrations the next start completes them', async () => {
  await using database = await emptyDatabase()
  const blocker = await database.db.startTransaction().execute()
  await sql`create table tenants ()`.execute(blocker)
  const killed = startProcess({ DATABASE_URL: database.url, WEBHOOK_SECRET: SHARED_SECRET }, 'apps/ai-api/src/main.ts')
  await expect.poll(killed.said, { timeout: 15_000 }).toContain('Migrating the database: 0001_audit')
  killed.child.kill('SIGKILL')
  await killed.ended
  await blocker.rollback().execute()
  await migrate(database.db)
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.db)
  expect(rows.map(({ name }) => `${name}.sql`)).toEqual(Object.keys(released))
  expect(await verifyAuditChain(database.db)).toMatchObject({ state: 'holds' })
})

test('the data of an earlier release is kept, and its audit log verifies', async () => {
  await using database = await emptyDatabase()
  const { db } = database
  await migrateAsEarlierRelease(db)
  // In parts: each row of a transaction updates the same head of the log again.
  for (let part = 0; part < 20; part += 1) {
    await sql`insert into audit_log (at, actor_email, action, outcome, target_type, target_id, target_name, changes)
      select now() - n * interval '1 minute', 'ada@example.com', 'tenants.update', 'done', 'tenant', gen_random_uuid(),
        'Tenant ' || n, jsonb_build_object('goal', jsonb_build_object('before', null, 'after', n))
      from generate_series(1, 500) as n`.execute(db)
  }
  await sql`insert into tenants (name, subdomain, tenant_type)
    select 'Tenant ' || n, 'tenant-' || n, 'product' from generate_series(1, 10000) as n`.execute(db)
  await migrate(db)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 10_000 })
  const { rows } = await sql<{ count: number }>`select count(*) as count from tenants`.execute(db)
  expect(rows).toEqual([{ count: 10_000 }])
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

/**
 * Applies the migrations of the releases with hashes of whole rows in the database, and records them like Kysely's
 * Migrator.
 */
async function migrateAsEarlierRelease(db: Kysely<Database>): Promise<void> {
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  for (const file of Object.keys(released).filter((name) => name < '0014')) {
    await sql.raw(await readFile(new URL(file, MIGRATIONS), 'utf8')).execute(db)
    await sql`insert into kysely_migration values (${file.replace('.sql', '')}, ${'2026-01-01T00:00:00.000Z'})`.execute(
      db,
    )
  }
}

/** Holds the lock of earlier releases, which use Kysely's Migrator. */
async function holdLock(db: Kysely<Database>): Promise<{ pid: number } & AsyncDisposable> {
  const trx = await db.startTransaction().execute()
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid from pg_advisory_xact_lock(3853314791062309107)`.execute(trx)
  return { pid: rows[0]?.pid ?? 0, [Symbol.asyncDispose]: () => trx.rollback().execute() }
}
