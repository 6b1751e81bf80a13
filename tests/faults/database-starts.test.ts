import { connect } from '@switchboard/database/connection/connect'
import { StartError } from '@switchboard/database/start/start-error'
import { lockMigrations } from '@switchboard/database/migrate'
import { ONCE } from '@switchboard/database/start/until-started'
import type { Database } from '@switchboard/database/tables'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// A server with an unusable database gives the reason in one line, before any change there.

const server = connect(inject('postgresUrl'), { max: 1, isPatient: true })
afterAll(() => server.destroy())

/** A new empty database, and the URL of a role without ownership in the database. */
async function emptyDatabase() {
  const name = `start_${crypto.randomUUID().replaceAll('-', '')}`
  const role = sql.id(name)
  await sql`create database ${role}`.execute(server)
  const url = new URL(urlOfDatabase(inject('postgresUrl'), name))
  await sql`create role ${role} login password ${sql.lit(decodeURIComponent(url.password))}`.execute(server)
  const admin = connect(url.toString(), { max: 1, isPatient: true, onLost: () => undefined })
  onTestFinished(async () => {
    await admin.destroy()
    await sql`drop database ${role} with (force)`.execute(server)
    await sql`drop role ${role}`.execute(server)
  })
  url.username = name
  return { name, role, admin, urlOf: (path: string) => withPath(url, path) }
}

function withPath(url: URL, path: string): string {
  const changed = new URL(url)
  changed.searchParams.set('options', `-c search_path=${path}`)
  return changed.toString()
}

type Lack = [what: string, make: (admin: Kysely<Database>, role: RawBuilder<unknown>) => Promise<unknown>, says: string]
const LACKS: Lack[] = [
  [
    'without its schema',
    (admin) => sql`drop schema public`.execute(admin),
    'has no schema of the search path app,public. Run: create schema NAME authorization "ROLE"',
  ],
  [
    'where it may not create tables',
    async (admin, role) => {
      await sql`create schema app`.execute(admin)
      await sql`grant usage on schema app to ${role}`.execute(admin)
    },
    'does not let ROLE create tables in the schema app. Run: grant create on schema "app" to "ROLE"',
  ],
  [
    'where it may not create an extension',
    (admin, role) => sql`create schema app authorization ${role}`.execute(admin),
    'does not let ROLE create the extension pg_trgm. Run as its owner: create extension pg_trgm schema "app"',
  ],
  [
    'whose extension is elsewhere',
    async (admin, role) => {
      await sql`create schema app authorization ${role}`.execute(admin)
      await sql`create schema elsewhere`.execute(admin)
      await sql`create extension pg_trgm schema elsewhere`.execute(admin)
    },
    'has pg_trgm in the schema elsewhere, which is not on the search path app,public. Add it there.',
  ],
  [
    'where it may not create a schema for the jobs',
    async (admin, role) => {
      await sql`create schema app authorization ${role}`.execute(admin)
      await sql`create extension pg_trgm`.execute(admin)
    },
    'does not let ROLE create the schema app_pgboss of the jobs. Run: create schema "app_pgboss" authorization "ROLE"',
  ],
  [
    'that is read-only',
    async (admin) => {
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(admin)
      await sql`alter database ${sql.id(rows[0]?.name ?? '')} set default_transaction_read_only = on`.execute(admin)
    },
    'is read-only: a standby, or changes are switched off. Check DATABASE_URL.',
  ],
]

test.for(LACKS)('a database %s stops the start with one line', async ([, make, says]) => {
  const { name, role, admin, urlOf } = await emptyDatabase()
  await make(admin, role)
  const refused = migrateDatabase(urlOf('app,public'), { patience: ONCE }).catch((error: unknown) => error)
  expect(await refused).toBeInstanceOf(StartError)
  expect(String(await refused).replace(/^StartError: The database \S+ /, '')).toBe(says.replaceAll('ROLE', name))
  expect((await sql`select from pg_class where relname = 'audit_log'`.execute(admin)).rows).toEqual([])
})

test('a migration by another process is waited for, also without patience for a database that is away', async () => {
  const { name } = await emptyDatabase()
  const url = urlOfDatabase(inject('postgresUrl'), name)
  const other = connect(url, { max: 1, isPatient: true, onLost: () => undefined })
  onTestFinished(() => other.destroy())
  const held = await other.startTransaction().execute()
  await lockMigrations(held)
  const said = Promise.withResolvers<string>()
  const migrated = migrateDatabase(url, { patience: { ...ONCE, say: said.resolve }, announce: () => undefined })
  expect(await said.promise).toMatch(/^Waiting for another process.* that migrates the database …$/)
  await held.rollback().execute()
  await migrated
})

test.for(['SQL_ASCII', 'LATIN1', 'EUC_JP'])(
  'a database with the encoding %s stops the start with one line',
  async (encoding) => {
    const name = `encoding_${crypto.randomUUID().replaceAll('-', '')}`
    await sql`create database ${sql.id(name)} encoding ${sql.lit(encoding)} template template0
    locale_provider libc lc_collate 'C' lc_ctype 'C'`.execute(server)
    onTestFinished(async () => {
      await sql`drop database ${sql.id(name)} with (force)`.execute(server)
    })
    const url = urlOfDatabase(inject('postgresUrl'), name)
    const sentence = new RegExp(
      `^The database \\S+/${name} has the encoding ${encoding}; create it with UTF8\\. Run: create database NAME encoding 'UTF8' template template0$`,
    )
    await expect(migrateDatabase(url)).rejects.toThrow(sentence)
    const tried = startProcess({ DATABASE_URL: url }, 'scripts/db-migrate.ts', 'dry-run')
    expect((await tried.ended).stderr.trim()).toMatch(sentence)
  },
)

test('two Switchboards share a database, each in a separate schema', async () => {
  const { role, admin, urlOf } = await emptyDatabase()
  await sql`create extension pg_trgm`.execute(admin)
  for (const name of ['one', 'two', 'one_pgboss', 'two_pgboss'])
    await sql`create schema ${sql.id(name)} authorization ${role}`.execute(admin)
  const servers = ['one,public', 'two,public'].map((path) =>
    startProcess({ DATABASE_URL: urlOf(path), WEBHOOK_SECRET: SHARED_SECRET }),
  )
  for (const { ready } of servers) expect((await fetch(`${await ready()}/readyz`)).status).toBe(200)
  for (const { child, ended } of servers) {
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, stderr: '' })
  }
  const { rows } = await sql`select distinct schemaname as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(admin)
  expect(rows).toEqual([{ name: 'one' }, { name: 'one_pgboss' }, { name: 'two' }, { name: 'two_pgboss' }])
})
