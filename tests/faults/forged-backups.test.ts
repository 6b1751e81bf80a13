import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { openBackupFile, writeBackup } from '@switchboard/backup/backup-file'
import { createBackup } from '@switchboard/backup/create-backup'
import { restoreBackup } from '@switchboard/backup/restore-backup'
import type { Database } from '@switchboard/database/tables'
import { parseSettings } from '@switchboard/server/settings/env'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { makeToken } from '@switchboard/testing/token-factory'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { dataFolder, startProcess } from '#tests/server-process.ts'

// A damaged disk or an attacker may have changed the file of a backup.

const postgresUrl = inject('postgresUrl')
const folder = dataFolder()
const fileIn = (name: string) => path.join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SECRETS_KEY = randomBytes(32).toString('base64')
const keysOf = (settings: Record<string, string>) => parseSettings(settings).secretKeys
const keys = keysOf({ SECRETS_KEY })
const key = keys.current
const unsigned = keysOf({})

const source = await createTestDatabase(postgresUrl)
const SOURCE_FILE = fileIn('source.backup')
beforeAll(async () => {
  await makeTenant(source.db, { name: 'Ünïcode' })
  await createBackup(source.url, SOURCE_FILE, key)
})
afterAll(() => source.drop())

const relations = async (db: Kysely<Database>) =>
  (await sql<{ count: number }>`select count(*) from pg_class where relnamespace = 'public'::regnamespace`.execute(db))
    .rows[0]?.count

const REFUSED: { name: string; change: (file: string) => void; sentence: RegExp }[] = [
  {
    name: 'a damaged file',
    change: (file) => {
      const bytes = readFileSync(file)
      const middle = bytes.length >> 1
      bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
      writeFileSync(file, bytes)
    },
    sentence: /is damaged or incomplete: its checksum does not match\. Use another copy or another backup\.$/,
  },
  {
    name: 'a cut file',
    change: (file) => truncateSync(file, statSync(file).size - 1_000),
    sentence: /is damaged or incomplete/,
  },
  { name: 'an empty file', change: (file) => truncateSync(file), sentence: /is not a backup of Switchboard/ },
  {
    name: 'another file',
    change: (file) => writeFileSync(file, '{"name": "switchboard"}\n'),
    sentence: /is not a backup of Switchboard, or its beginning is damaged\.$/,
  },
  {
    name: 'a file of a newer release',
    change: (file) => changeHeader(file, { version: '9.0.0', migration: '9999_later' }),
    sentence: /is of a newer Switchboard \(9999_later\) than this one \([^)]+\)\. Restore it with the newer one\.$/,
  },
  {
    name: 'a file in a newer format',
    change: (file) => changeHeader(file, { version: '9.0.0', switchboard_backup: 5 }),
    sentence: /is of a newer Switchboard \(version 9\.0\.0\)/,
  },
  { name: 'a missing file', change: (file) => rmSync(file), sentence: /cannot be read \(ENOENT\)\.$/ },
]

function changeHeader(file: string, fields: object): void {
  const text = readFileSync(file, 'latin1')
  const end = text.indexOf('\n')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(text.slice(0, end)), ...fields }) + text.slice(end), 'latin1')
}

test.each(REFUSED)('$name is refused in one sentence', async ({ name, change, sentence }) => {
  const file = fileIn(`${name}.backup`)
  writeFileSync(file, readFileSync(SOURCE_FILE))
  change(file)
  await expect(openBackupFile(file, { keys })).rejects.toThrow(sentence)
})

/** The lines of a backup around its compressed script, read as latin1. */
function partsOf(file: string) {
  const bytes = readFileSync(file)
  const start = bytes.indexOf('\n') + 1
  const end = bytes.lastIndexOf('\nsha256 ')
  const header = JSON.parse(bytes.toString('utf8', 0, start))
  return { header, script: zstdDecompressSync(bytes.subarray(start, end)).toString(), lastLines: bytes.subarray(end) }
}

/** Rewrites the backup with a changed script or header and a matching checksum, without a signature. */
async function forged(name: string, change: (script: string) => string, fields: object = {}): Promise<string> {
  const { header, script } = partsOf(SOURCE_FILE)
  async function* changed() {
    yield change(script)
  }
  await writeBackup(fileIn(name), { header: { ...header, ...fields }, script: changed(), key: null })
  return fileIn(name)
}

const WITH_SUPERUSER = 'COPY "pg_authid" ("oid", "rolname", "rolsuper") FROM STDIN;\n99999\teve\tt\n\\.\n'
const FORGERIES: { name: string; change?: (script: string) => string; fields?: object; sentence: string | RegExp }[] = [
  {
    name: 'a superuser of PostgreSQL',
    change: (script) => script + WITH_SUPERUSER,
    sentence: 'The backup has an unknown table: "pg_authid".',
  },
  {
    name: 'a large object',
    change: (script) => `${script}COPY "pg_largeobject" ("loid", "pageno", "data") FROM STDIN;\n1\t0\tx\n\\.\n`,
    sentence: 'The backup has an unknown table: "pg_largeobject".',
  },
  {
    name: 'a migration',
    change: (script) => `${script}COPY "migrations" ("name") FROM STDIN;\n\\.\n`,
    sentence: 'The backup has an unknown table: "migrations".',
  },
  {
    name: 'a generated column',
    change: (script) => script.replace('COPY "users" (', 'COPY "users" ("search_text", '),
    sentence: 'The backup has an unknown column of the table "users": "\\"search_text\\""',
  },
  {
    name: 'a table twice',
    change: (script) => script + script.slice(script.lastIndexOf('COPY ')),
    sentence: /^The backup has the table "webhooks" twice\.$/,
  },
  { name: 'no rows', change: () => '', sentence: 'The backup ends before the table "account_notices".' },
  {
    name: 'a cut script',
    change: (script) => script.slice(0, script.indexOf('COPY "users"')),
    sentence: 'The backup ends before the table "users".',
  },
  {
    name: 'text at the end',
    change: (script) => `${script}create role eve superuser`,
    sentence: 'The backup ends within a statement: "create role eve superuser"',
  },
  {
    name: 'an endless line',
    change: () => 'a'.repeat(100_000_000),
    sentence: /^The backup has a statement of more than 65536 bytes/,
  },
  {
    name: 'a missing row',
    change: (script) => script.replace(/(COPY "tenants" .*\n).*\n/, '$1'),
    sentence: 'The backup says that the table "tenants" has 1 rows, but it contains 0.',
  },
  {
    name: 'a sequence of PostgreSQL',
    fields: { sequences: { pg_largeobject: 7 } },
    sentence: 'The backup has an unknown sequence: "pg_largeobject".',
  },
]

test.each(FORGERIES)(
  'a forged backup with $name is refused, and the database stays empty',
  async ({ name, change = (script) => script, fields, sentence }) => {
    const file = await forged(`with ${name}`, change, fields)
    await using target = await createEmptyDatabase(postgresUrl)
    const restored = openBackupFile(file, { keys: unsigned }).then((backup) => restoreBackup(target.url, backup))
    await expect(restored).rejects.toThrow(sentence)
    expect(await relations(target.db)).toBe(0)
    expect(
      (
        await sql`select from pg_roles where rolname = 'eve' or rolname like 'switchboard\\_restore%'`.execute(
          target.db,
        )
      ).rows,
    ).toEqual([])
  },
)

test('a file is trusted if the key that signed it is the current key or an old one', async () => {
  const [other] = [keysOf({ SECRETS_KEY: randomBytes(32).toString('base64') })]
  const id = key?.id.toString('hex')
  const isSigned = async (trust: Parameters<typeof openBackupFile>[1], file = SOURCE_FILE) =>
    (await openBackupFile(file, trust)).isSigned
  expect(await isSigned({ keys })).toBe(true)
  expect(await isSigned({ keys: { ...other, old: key === null ? [] : [key] } })).toBe(true)
  await expect(isSigned({ keys: other })).rejects.toThrow(
    `is signed with the key ${id}, but SECRETS_KEY and SECRETS_KEY_OLD have ${other.current?.id.toString('hex')}. Add that key to SECRETS_KEY_OLD. Restore it with --unsigned only if nobody else could write it`,
  )
  await expect(isSigned({ keys: unsigned })).rejects.toThrow(`is signed with the key ${id}, but SECRETS_KEY is not set`)
  expect(await isSigned({ keys: unsigned, acceptsUnsigned: true })).toBe(false)

  const plain = await forged('plain', (script) => script)
  expect(await isSigned({ keys: unsigned }, plain)).toBe(false)
  expect(await isSigned({ keys: { current: null, old: keys.old } }, plain)).toBe(false)
  expect(await isSigned({ keys, acceptsUnsigned: true }, plain)).toBe(false)
  await expect(isSigned({ keys }, plain)).rejects.toThrow(
    'is not signed, although SECRETS_KEY is set, so someone may have changed it. Restore it with --unsigned only',
  )
})

test('a changed file with a matching checksum and the old signature is refused, even with --unsigned', async () => {
  const [, hmac] = partsOf(SOURCE_FILE).lastLines.toString().split('\nhmac')
  const file = await forged('changed', (script) => script.replace('Ünïcode', 'Unicode'))
  appendFileSync(file, `hmac${hmac}`)
  for (const acceptsUnsigned of [false, true])
    await expect(openBackupFile(file, { keys, acceptsUnsigned })).rejects.toThrow(
      /was changed after the backup: its signature does not match\. Use another copy or another backup\.$/,
    )
})

test('a file that is replaced after it was checked is not restored', async () => {
  const file = fileIn('replaced.backup')
  writeFileSync(file, readFileSync(SOURCE_FILE))
  const backup = await openBackupFile(file, { keys })
  await forged('replaced.backup', (script) => script.replace('Ünïcode', 'Ünicode'))
  await using target = await createEmptyDatabase(postgresUrl)
  await expect(restoreBackup(target.url, backup)).rejects.toThrow(/was changed while it was read\./)
  expect(await relations(target.db)).toBe(0)
})

test('the commands say that a backup is not signed, and restore it only with --unsigned while a key is set', async () => {
  const file = fileIn('unsigned.backup')
  const backup = await startProcess({ DATABASE_URL: source.url }, 'scripts/backup.ts', file).ended
  expect(backup).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^It is not signed, because SECRETS_KEY is not set: .*\n$/),
  })
  await using target = await createEmptyDatabase(postgresUrl)
  const restore = async (...args: string[]) =>
    await startProcess({ DATABASE_URL: target.url, SECRETS_KEY }, 'scripts/restore.ts', file, ...args).ended
  expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringContaining('--unsigned only if nobody else') })
  expect(await relations(target.db)).toBe(0)
  const accepted = await restore('--unsigned')
  expect(accepted.stderr).toMatch(
    /has no signature that can be checked: anyone who can write the file could have changed its rows\.\n/,
  )
  expect(await relations(target.db)).toBeGreaterThan(100)
})

test('a member and a service token that no entry of the audit log created are listed, and the command exits with 1', async () => {
  const forgery = await createTestDatabase(postgresUrl)
  const eve = await makeUser(forgery.db, { email: 'eve@example.com' })
  const token = await makeToken(forgery.db, { created_by_id: eve.id, name: 'Eve', scopes: ['read', 'keys:write'] })
  // A restore of the deletion would insert this account.
  const record = { email: 'mallory@example.com', role: 'super_admin', tenant_id: null }
  await sql`insert into deletions (root_id, root_table, is_root, table_name, record, kept_until)
    values (gen_random_uuid(), 'users', true, 'users', ${JSON.stringify(record)}, now() + interval '1 year')`.execute(
    forgery.db,
  )
  await createBackup(forgery.url, fileIn('members.backup'), key)
  await forgery.drop()
  await using target = await createEmptyDatabase(postgresUrl)
  const settings = { DATABASE_URL: target.url, SECRETS_KEY }
  const { code, stderr } = await startProcess(settings, 'scripts/restore.ts', fileIn('members.backup')).ended
  expect([code, stderr.trimEnd().split('\n')]).toEqual([
    1,
    [
      'The audit log does not explain the access of 2 accounts. Remove those that none of you created before you start the servers:',
      `  member ${eve.id} "eve@example.com", super_admin: no entry of the audit log created it`,
      `  service token ${token.id} "Eve", read, keys:write: no entry of the audit log created it`,
    ],
  ])
  expect((await sql`select from deletions`.execute(target.db)).rows).toEqual([])
})
