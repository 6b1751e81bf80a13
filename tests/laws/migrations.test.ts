import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@switchboard/database/connection/connect'
import { allMigrations, migrate } from '@switchboard/database/migrate'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'

// Until release 1.0.0 the files of the schema are edited in place. Released migrations never change and only add.

const folder = new URL('../../packages/database/src/migrations/', import.meta.url)

/** The newest migration of the schema before the first release. */
const FIRST_SCHEMA = '0020_backups'

test('the migrations of a release are unchanged', async () => {
  expect(await changedSinceRelease(fileURLToPath(folder))).toEqual([])
})

test('a changed and a removed migration of a made-up release are found, a new one is not', async () => {
  const repository = mkdtempSync(path.join(tmpdir(), 'switchboard-release-'))
  onTestFinished(() => rmSync(repository, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFileSync(path.join(repository, name), text)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@switchboard.example', ...args], {
      cwd: repository,
    })
  git('init', '--quiet')
  for (const name of ['0001_kept.sql', '0002_changed.sql', '0003_removed.sql']) write(name, 'select 1;')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Release 1.0.0')
  expect(await changedSinceRelease(repository)).toEqual([])
  git('tag', 'v1.0.0')
  write('0002_changed.sql', 'select 2;')
  write('0004_new.sql', 'select 1;')
  rmSync(path.join(repository, '0003_removed.sql'))
  expect(await changedSinceRelease(repository)).toEqual(['0002_changed.sql', '0003_removed.sql'])
})

/** The migrations below `directory` that differ from the newest release tag. Empty without a tag or a git history. */
async function changedSinceRelease(directory: string): Promise<string[]> {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: directory, encoding: 'utf8' })
    return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
  }
  const [newest] = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname')
  return newest === undefined ? [] : git('diff', '--relative', '--name-only', '--diff-filter=a', newest, '--', '.')
}

test('two processes that migrate one empty database at once both succeed, and a repetition changes nothing', async () => {
  const server = connect(inject('postgresUrl'))
  await sql`create database migrated_twice`.execute(server)
  const url = urlOfDatabase(inject('postgresUrl'), 'migrated_twice')
  const pools = [connect(url), connect(url)] as const
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
    expect(isSafe(name, await readFile(new URL(`${name}.sql`, folder), 'utf8')), name).toBe(true)
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
