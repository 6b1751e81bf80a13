import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate, migrateWithin } from '@switchboard/database/migrate'
import { parseSecretKey } from '@switchboard/database/stored-secrets/encryption'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { openBackupFile } from './backup-file.ts'
import { backUpBeforeUpgrade, makeBackupOfNight } from './kept-backups.ts'

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
    await makeBackupOfNight({ url: database.url, folder, key, now: () => new Date(...at) })
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
  const backUp = async (url: string) => await backUpBeforeUpgrade({ url, folder: own, key }, (line) => lines.push(line))
  await backUp(old.url)
  await old.db.transaction().execute((trx) => migrateWithin(trx, '0017_deletions'))
  writeFileSync(path.join(own, 'before-0009_api_keys.backup'), '')
  await backUp(old.url)
  await backUp(database.url)
  expect(lines).toEqual([
    `Writing the backup before the upgrade, ${path.join(own, 'before-0018_portal_sign_ins.backup')} …`,
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
  const start = async () => await backUpBeforeUpgrade({ url: newer.url, folder: own, key }, () => undefined)
  await expect(start()).rejects.toThrow(/it has the migrations up to 9999_later, .* before its upgrade\.$/)
  const file = path.join(own, 'before-9999_later.backup')
  writeFileSync(file, '')
  await expect(start()).rejects.toThrow(`before its upgrade. That backup is ${file}.`)
})
