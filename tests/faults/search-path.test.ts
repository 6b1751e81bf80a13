import { migrateDatabase } from '@switchboard/server/process/open-database'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { type Script, SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// A search path that leads to forged tables or functions stops the start with an error that names it.

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)
await sql`create schema forged`.execute(db)
await sql`create schema copied`.execute(db)
await sql`create table copied.migrations as select * from migrations`.execute(db)
const role = decodeURIComponent(new URL(url).username)

function endOf(path: string, script: Script, ...args: string[]) {
  const bent = new URL(url)
  bent.searchParams.set('options', `-c search_path=${path}`)
  return startProcess({ DATABASE_URL: bent.toString(), WEBHOOK_SECRET: SHARED_SECRET }, script, ...args).ended
}

const PATHS = [
  ['forged,public', 'begins with forged, but the tables of Switchboard are in public'],
  ['copied,public', 'begins with copied, but the tables of Switchboard are in public'],
  ['public,forged,pg_catalog', 'puts public before the functions of PostgreSQL in pg_catalog'],
] as const
const SCRIPTS: [Script, ...string[]][] = [
  ['scripts/audit-verify.ts'],
  ['scripts/backup.ts', '/no/folder/a.backup'],
  ['scripts/db-recount.ts'],
  ['scripts/db-migrate.ts', 'status'],
  ['apps/ai-api/src/main.ts'],
]
const cases = PATHS.flatMap(([path, says]) => SCRIPTS.map(([script, ...args]) => ({ path, says, script, args })))

test.for(cases)('$script refuses the search path $path', async ({ path, says, script, args }) => {
  expect(await endOf(path, script, ...args)).toEqual({
    code: 1,
    stderr: `The search path ${path} of the role ${role} ${says}. Correct it, such as with: alter role "${role}" reset search_path\n`,
  })
})

test('a command that needs the tables names a path without them', async () => {
  expect(await endOf('forged', 'scripts/audit-verify.ts')).toEqual({
    code: 1,
    stderr: `The search path forged of the role ${role} does not have the schema public, where the tables of Switchboard are. Correct it, such as with: alter role "${role}" reset search_path\n`,
  })
})

test('the migrations of another program on the path do not stop a first start', async () => {
  await using database = await createEmptyDatabase(inject('postgresUrl'))
  await sql`create table migrations (name text, applied_at text)`.execute(database.db)
  await sql`create extension pg_trgm`.execute(database.db)
  await sql`create schema app`.execute(database.db)
  const own = new URL(database.url)
  own.searchParams.set('options', '-c search_path=app,public')
  await migrateDatabase(own.toString(), {})
  const { rows } = await sql`select schemaname from pg_tables where tablename = 'audit_log'`.execute(database.db)
  expect(rows).toEqual([{ schemaname: 'app' }])
})
