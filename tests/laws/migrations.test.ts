import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { urlOfDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import released from './released-migrations.json' with { type: 'json' }

// 0.2.0 is the first release. Its migrations and the migrations of all later releases never change.

/** The migrations of 0.2.0 replaced the migrations of development. */
const FIRST_AFTER_RELEASE = '0013'

const folder = new URL('../../packages/database/src/migrations/', import.meta.url)

test('released migrations are unchanged, and every migration has its hash in released-migrations.json', async () => {
  const files = (await readdir(folder)).toSorted()
  const hashes = files.map(async (file) => [
    file,
    createHash('sha256')
      .update(await readFile(new URL(file, folder)))
      .digest('hex'),
  ])
  expect(Object.fromEntries(await Promise.all(hashes))).toEqual(released)
})

test('a new migration sorts after all released migrations', async ({ skip }) => {
  const history = spawnSync(
    'git',
    [
      'log',
      '--first-parent',
      '-m',
      '--reverse',
      '--no-renames',
      '--diff-filter=A',
      '--format=',
      '--name-only',
      '--',
      '.',
    ],
    { cwd: fileURLToPath(folder), encoding: 'utf8' },
  )
  skip(history.status !== 0, 'This is no git checkout.')
  const committed = history.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((file) => path.basename(file))
  const files = (await readdir(folder)).toSorted()
  const inOrder = [
    ...committed.filter((file) => files.includes(file)),
    ...files.filter((file) => !committed.includes(file)),
  ]
  const added = inOrder.filter((file) => file >= FIRST_AFTER_RELEASE)
  expect(added).toEqual(added.toSorted())
})

test('two processes that migrate one empty database at once both succeed, and a repetition changes nothing', async () => {
  const server = connect(inject('postgresUrl'))
  await sql`create database migrated_twice`.execute(server)
  const url = urlOfDatabase(inject('postgresUrl'), 'migrated_twice')
  const pools = [connect(url), connect(url)] as const
  await Promise.all(pools.map((pool) => migrate(pool)))
  await migrate(pools[0])
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(pools[0])
  expect(rows.map(({ name }) => `${name}.sql`)).toEqual(Object.keys(released))
  await Promise.all(pools.map((pool) => pool.destroy()))
  await sql`drop database migrated_twice`.execute(server)
  await server.destroy()
})

/** The migration that made `schema_floor`. */
const FLOOR = '0042_schema_floor'

test('a migration that removes or narrows something names itself as the floor of the schema', async () => {
  const files = (await readdir(folder)).filter((file) => file > `${FLOOR}.sql`)
  for (const file of files) {
    const text = await readFile(new URL(file, folder), 'utf8')
    const floor = `update schema_floor set migration = '${file.replace('.sql', '')}'`
    expect(!breaksOlderReleases(text) || text.includes(floor), file).toBe(true)
  }
})

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
