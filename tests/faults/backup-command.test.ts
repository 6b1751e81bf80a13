import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openBackupFile } from '@switchboard/backup/backup-file'
import type { Database } from '@switchboard/database/tables'
import { makeTenant } from '@switchboard/testing/factories'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { type Kysely, sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { dataFolder, environmentOf, type Script, startProcess } from '#tests/server-process.ts'

// The command that people and timers run: where it writes, what it keeps, verifies and records.

const postgresUrl = inject('postgresUrl')

async function installation() {
  const { db, url, drop } = await createTestDatabase(postgresUrl)
  const folder = dataFolder()
  onTestFinished(async () => {
    await drop()
    rmSync(folder, { recursive: true })
  })
  await makeTenant(db)
  const settings = { DATABASE_URL: url, BACKUP_DIR: folder }
  const backUp = (...args: string[]) => startProcess(settings, 'scripts/backup.ts', ...args)
  return { db, url, folder, settings, backUp }
}

const recordsOf = async (db: Kysely<Database>) =>
  await db.selectFrom('backups').select(['kind', 'made_by', 'file', 'bytes', 'problem']).orderBy('id').execute()

test('with - the backup goes to standard output, and nothing else does', async () => {
  const { db, folder, settings } = await installation()
  const file = path.join(folder, 'piped')
  const child = spawn(process.execPath, ['scripts/backup.ts', '-'], {
    // As `npm run -s` sets it, because npm may run the tests.
    env: { ...environmentOf(settings), npm_config_loglevel: 'silent' },
  })
  await pipeline(child.stdout, createWriteStream(file))
  const { header, bytes } = await openBackupFile(file, { keys: { current: null, old: [] } })
  expect(header.rows.tenants).toBe(1)
  expect(await recordsOf(db)).toEqual([{ kind: 'backup', made_by: 'hand', file: null, bytes, problem: null }])
})

test('npm, whose lines would be in the backup, is refused with -', async () => {
  const { settings } = await installation()
  const env = { ...environmentOf(settings), npm_lifecycle_event: 'backup', npm_config_loglevel: 'notice' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/backup.ts', '-'], { env, encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([1, '', 'npm prints lines before the backup. Run "npm run -s backup -".\n'])
})

test('a timer keeps the newest backups of its folder', async () => {
  const { db, folder, backUp } = await installation()
  for (const _ of [1, 2, 3]) expect(await backUp('--keep', '2', '--timer').ended).toMatchObject({ code: 0 })
  const records = await recordsOf(db)
  expect(records.map(({ made_by }) => made_by)).toEqual(['timer', 'timer', 'timer'])
  expect(readdirSync(folder).map((name) => path.join(folder, name))).toEqual(records.slice(1).map(({ file }) => file))
})

test('a verification restores the newest backup elsewhere, compares it and leaves nothing behind', async () => {
  const { db, backUp } = await installation()
  expect(await backUp().ended).toMatchObject({ code: 0 })
  const verification = backUp('--verify')
  expect(await verification.ended, verification.output()).toEqual({ code: 0, stderr: '' })
  expect(verification.output()).toMatch(
    /\.backup of \S+ can be restored: all \d+ rows of its \d+ tables are there, and the audit log holds up to row \d+\.\n$/,
  )
  expect(await recordsOf(db)).toMatchObject([
    { kind: 'backup', problem: null },
    { kind: 'verification', made_by: 'hand', problem: null },
  ])
  expect(
    (await sql`select from pg_database where datname = current_database() || '_scratch'`.execute(db)).rows,
  ).toEqual([])
})

test('a damaged backup fails its verification, which is recorded', async () => {
  const { db, folder, backUp } = await installation()
  const file = path.join(folder, 'mine.backup')
  expect(await backUp(file).ended).toMatchObject({ code: 0 })
  writeFileSync(file, readFileSync(file).subarray(0, -100))
  expect(await backUp('--verify', file).ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') })
  expect((await recordsOf(db)).at(-1)).toMatchObject({
    kind: 'verification',
    file,
    problem: expect.stringContaining('is damaged'),
  })
})

test('an ordinary role with a separate schema verifies a backup once it may create databases', async () => {
  await using ordinary = await createEmptyDatabase(postgresUrl, { isOrdinary: true })
  const { db, folder } = await installation()
  const url = new URL(ordinary.url)
  await sql`alter role ${sql.id(url.username)} createdb`.execute(db)
  await sql`create schema app`.execute(ordinary.db)
  url.searchParams.set('options', '-c search_path=app,public')
  await sql`create extension pg_trgm schema public`.execute(ordinary.db)
  const run = (script: Script, ...args: string[]) =>
    startProcess({ DATABASE_URL: url.toString(), BACKUP_DIR: folder }, script, ...args).ended
  expect(await run('scripts/db-migrate.ts')).toMatchObject({ code: 0 })
  expect(await run('scripts/backup.ts')).toMatchObject({ code: 0 })
  expect(await run('scripts/backup.ts', '--verify')).toEqual({ code: 0, stderr: '' })
})

test('a role that may not create a scratch database is told what to grant', async () => {
  await using ordinary = await createEmptyDatabase(postgresUrl, { isOrdinary: true })
  const { folder, backUp } = await installation()
  const file = path.join(folder, 'mine.backup')
  expect(await backUp(file).ended).toMatchObject({ code: 0 })
  const verify = startProcess({ DATABASE_URL: ordinary.url }, 'scripts/backup.ts', '--verify', file)
  expect((await verify.ended).stderr).toMatch(
    /^A verification needs a scratch database, but the role (\S+) may not create one\. Run: alter role "\1" createdb\n$/,
  )
})

test('a database that cannot record the backup, such as a standby, is backed up all the same', async () => {
  const { url, folder, backUp } = await installation()
  const file = path.join(folder, 'standby.backup')
  const readOnly = new URL(url)
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
  const command = startProcess({ DATABASE_URL: readOnly.toString() }, 'scripts/backup.ts', file)
  expect(await command.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('The database has no record of it: '),
  })
  expect(await backUp('--verify', file).ended).toMatchObject({ code: 0 })
})

test.for(['--keep 0', '--keep 3 a.backup', '--verify -', '--kept 3', 'a b'])(
  'the arguments %s are refused with the ones that are understood',
  async (args) => {
    const { code, stderr } = await startProcess({}, 'scripts/backup.ts', ...args.split(' ')).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm run backup -- --keep N')])
  },
)
