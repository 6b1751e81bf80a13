import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate, migrateWithin } from '@switchboard/database/migrate'
import { parseSecretKey } from '@switchboard/database/stored-secrets/encryption'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { openBackupFile } from './backup-file.ts'
import { backUpBeforeUpgrade, keepNewest, makeBackupOfNight, verifyOnceAWeek } from './kept-backups.ts'

const database = await createTestDatabase(inject('postgresUrl'))
const key = parseSecretKey(randomBytes(32).toString('base64'))
const keys = { current: key, old: [] }
const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-backups-'))
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('each night has one backup, the newest seven are kept, and other files stay', async () => {
  const backUpAt = async (...at: [number, number, number, number, number]) =>
    await makeBackupOfNight({ url: database.url, folder, keys, now: () => new Date(...at) })
  writeFileSync(path.join(folder, 'nightly-2026-10-25.backup.part'), 'killed')
  writeFileSync(path.join(folder, 'mine.backup'), '')
  for (const day of [26, 27, 28, 29, 30, 31]) await backUpAt(2026, 9, day, 4, 0)
  // Before three o'clock the night before is the current one.
  await backUpAt(2026, 10, 1, 2, 59)
  await backUpAt(2026, 10, 1, 3, 0)
  await backUpAt(2026, 10, 2, 12, 0)
  const days = ['2026-10-27', '2026-10-28', '2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02']
  expect(readdirSync(folder).toSorted()).toEqual(['mine.backup', ...days.map((day) => `nightly-${day}.backup`)])
  expect(await openBackupFile(path.join(folder, 'nightly-2026-11-02.backup'), { keys })).toMatchObject({
    header: { version: expect.any(String) },
    isSigned: true,
  })
})

test('pending migrations have a backup before them, an empty database and a current one have none', async () => {
  const own = mkdtempSync(path.join(folder, 'before-'))
  await using old = await createEmptyDatabase(inject('postgresUrl'))
  const lines: string[] = []
  const backUp = async (url: string) =>
    await backUpBeforeUpgrade({ url, folder: own, keys }, (line) => lines.push(line))
  await backUp(old.url)
  await old.db.transaction().execute((trx) => migrateWithin(trx, '0017_deletions'))
  writeFileSync(path.join(own, 'before-0009_api_keys.backup'), '')
  await backUp(old.url)
  await backUp(database.url)
  expect(lines).toEqual([
    `Writing the backup before the upgrade, ${path.join(own, 'before-0018_portal_sign_ins.backup')} …`,
    // The next migrations create its table.
    'The database has no record of it: relation "backups" does not exist.',
  ])
  expect(readdirSync(own)).toEqual(['before-0018_portal_sign_ins.backup'])
  expect(await openBackupFile(path.join(own, 'before-0018_portal_sign_ins.backup'), { keys })).toMatchObject({
    isSigned: true,
  })
})

test('a start on the database of a newer release names the backup from before its upgrade', async () => {
  const own = mkdtempSync(path.join(folder, 'newer-'))
  await using newer = await createEmptyDatabase(inject('postgresUrl'))
  await migrate(newer.db)
  await newer.db.insertInto('migrations').values({ name: '9999_later', sha256: '' }).execute()
  await newer.db.updateTable('schema_floor').set({ migration: '9999_later' }).execute()
  const start = async () => await backUpBeforeUpgrade({ url: newer.url, folder: own, keys }, () => undefined)
  await expect(start()).rejects.toThrow(/it has the migrations up to 9999_later, .* before its upgrade\.$/)
  const file = path.join(own, 'before-9999_later.backup')
  writeFileSync(file, '')
  await expect(start()).rejects.toThrow(`before its upgrade. That backup is ${file}.`)
})

test('the backup of a night is verified once a week, and a failed verification again the next night', async () => {
  const { url, db, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const own = mkdtempSync(path.join(folder, 'verified-'))
  const place = { url, dataDir: own, keys }
  const verifications = async () =>
    await db.selectFrom('backups').select(['problem', 'made_by']).where('kind', '=', 'verification').execute()
  const file = await makeBackupOfNight({ ...place, folder: own, now: () => new Date(2026, 10, 2, 4) })
  if (file === undefined) throw new Error('The night has a backup already.')
  await verifyOnceAWeek(place, file)
  expect(await verifications()).toEqual([])

  await sql`update backups set at = now() - interval '6 days'`.execute(db)
  await expect(verifyOnceAWeek(place, `${file}.missing`)).rejects.toThrow('cannot be read (ENOENT)')
  expect(await verifications()).toEqual([{ problem: expect.stringContaining('ENOENT'), made_by: 'server' }])
  const told = await db.selectFrom('audit_entries').selectAll().where('action', '=', 'backups.fail').execute()
  expect(told).toMatchObject([
    {
      actor_id: null,
      actor_email: 'backup',
      reason: expect.stringContaining('ENOENT'),
      changes: { kind: { after: 'verification' }, made_by: { after: 'server' }, file: { after: `${file}.missing` } },
    },
  ])
  await verifyOnceAWeek(place, file)
  await verifyOnceAWeek(place, file)
  expect(await verifications()).toEqual([expect.anything(), { problem: null, made_by: 'server' }])
})

test('of the other backups the newest are kept, and drafts of killed commands go with the backups of their time', () => {
  const own = mkdtempSync(path.join(folder, 'kept-'))
  const names = ['01', '02.part', '03', '04.part', '05'].map((day) =>
    day.replace(/(\d+)(\.part)?/, 'switchboard-2026-11-$1T00-00-00.000Z.backup$2'),
  )
  for (const name of [...names, 'mine.backup', 'nightly-2026-11-01.backup']) writeFileSync(path.join(own, name), '')
  keepNewest(own, 'switchboard', 2)
  expect(readdirSync(own).toSorted()).toEqual(['mine.backup', 'nightly-2026-11-01.backup', ...names.slice(2)])
})
