import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { allMigrations, migrate } from '@switchboard/database/migrate'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { commitAll, copyOfSources, npmIn } from '#tests/faults/checkout.ts'
import { readRepositoryFile } from './repository-files.ts'

// Until the first release candidate the files of the schema are edited in place. Released migrations never change and only add.

const MIGRATIONS = 'packages/database/src/migrations'
const root = path.resolve(import.meta.dirname, '../..')

/** The newest migration of the schema before the first release. */
const FIRST_SCHEMA = '0020_backups'

test('the migrations of a release are unchanged', () => expect(changedSinceRelease(root)).toEqual([]))

test('npm version names a release everywhere, and its migrations are protected from then on', () => {
  const checkout = copyOfSources()
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true }))
  const heading = () => /^## .*$/m.exec(readFileSync(path.join(checkout, 'CHANGELOG.md'), 'utf8'))?.[0]
  const changelog = path.join(checkout, 'CHANGELOG.md')
  if (heading() !== '## Unreleased')
    writeFileSync(changelog, readFileSync(changelog, 'utf8').replace(/^## /m, '## Unreleased\n\n## '))
  const git = commitAll(checkout)
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@switchboard.example')
  npmIn(checkout, 'version', '9.9.0-rc.1')

  expect(git('log', '-1', '--format=%s %D').trim()).toMatch(/^Release 9\.9\.0-rc\.1 HEAD -> .*tag: v9\.9\.0-rc\.1/)
  expect(git('status', '--porcelain')).toBe('')
  expect(heading()).toBe('## 9.9.0-rc.1')
  for (const file of ['package.json', 'package-lock.json', 'deploy/helm/switchboard/Chart.yaml'])
    expect(readFileSync(path.join(checkout, file), 'utf8'), file).toContain('9.9.0-rc.1')
  expect(changedSinceRelease(checkout)).toEqual([])
  const edit = (name: string, text: string) => writeFileSync(path.join(checkout, MIGRATIONS, name), text)
  edit('9998_new.sql', 'select 1;')
  edit('0002_tenants.sql', 'select 1;')
  rmSync(path.join(checkout, MIGRATIONS, '0003_users.sql'))
  expect(changedSinceRelease(checkout)).toEqual(['0002_tenants.sql', '0003_users.sql'])
})

/** The migrations of releases that have another text in this checkout, or are missing. */
function changedSinceRelease(checkout: string): string[] {
  const read = (name: string) => readFileSync(path.join(checkout, MIGRATIONS, name), 'utf8')
  const recorded = [...read('released.sha256').matchAll(/^([0-9a-f]{64})  (\S+)$/gm)]
  const isSame = (sha256: string, name: string) =>
    existsSync(path.join(checkout, MIGRATIONS, name)) &&
    createHash('sha256').update(read(name).replaceAll('\r\n', '\n')).digest('hex') === sha256
  return recorded.filter(([, sha256 = '', name = '']) => !isSame(sha256, name)).map(([, , name = '']) => name)
}

test('the product and its chart have the version of the newest release in the changelog', () => {
  const [, version] = /^## (\d\S*)/m.exec(readRepositoryFile('CHANGELOG.md')) ?? []
  expect(JSON.parse(readRepositoryFile('package.json'))).toMatchObject({ version })
  const chart = parse(readRepositoryFile('deploy/helm/switchboard/Chart.yaml'))
  expect(chart).toMatchObject({ version, appVersion: version })
})

test('two processes that migrate one empty database at once both succeed, and a repetition changes nothing', async () => {
  const server = connect(inject('postgresUrl'), { isPatient: true })
  await sql`create database migrated_twice`.execute(server)
  const url = urlOfDatabase(inject('postgresUrl'), 'migrated_twice')
  const pools = [connect(url, { isPatient: true }), connect(url, { isPatient: true })] as const
  await Promise.all(pools.map((pool) => migrate(pool)))
  await migrate(pools[0])
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(pools[0])
  expect(rows.map(({ name }) => name)).toEqual(await allMigrations())
  await Promise.all(pools.map((pool) => pool.destroy()))
  await sql`drop database migrated_twice`.execute(server)
  await server.destroy()
})

test('a migration that removes or narrows something names itself as the floor of the schema', async () => {
  for (const name of (await allMigrations()).filter((each) => each > FIRST_SCHEMA))
    expect(isSafe(name, await readFile(path.join(root, MIGRATIONS, `${name}.sql`), 'utf8')), name).toBe(true)
  const narrowing = 'alter table users drop column role;'
  expect(isSafe('0100_next', narrowing)).toBe(false)
  expect(isSafe('0100_next', `${narrowing} update schema_floor set migration = '0100_next';`)).toBe(true)
})

/** Whether servers of an older release still work after this migration, or its floor keeps them from starting. */
function isSafe(name: string, text: string): boolean {
  return !breaksOlderReleases(text) || text.includes(`update schema_floor set migration = '${name}'`)
}

test.each([
  ['alter table users drop column role', true],
  ['alter table users rename email to address', true],
  ['alter table users alter column role type integer', true],
  ['alter table users alter column role set not null', true],
  ['alter table users add constraint short check (length(role) < 9)', true],
  ['drop function rest_of(text)', true],
  ['alter table users add column note text not null', true],
  ["alter table users add column note text not null default ''", false],
  ['create index users_by_note on users (note); drop index users_by_role', false],
  ['create table notes (text text not null)', false],
])('%s: removes or narrows is %s', (text, breaks) => expect(breaksOlderReleases(text)).toBe(breaks))

/** Whether code without this migration may fail on the schema. Bodies of functions are not read. */
function breaksOlderReleases(text: string): boolean {
  const removes =
    /\b(drop (table|column|function|view|type)|rename|alter column \w+ (type|set not null)|add constraint)\b/i
  return removes.test(text) || /\badd column [^,;]* not null(?![^,;]* default)/i.test(text)
}
