import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { checkArchiveFile } from '@switchboard/database/audit/audit-archive-file'
import { type AuditArchive, fileNameOf } from '@switchboard/database/audit/audit-archives'
import { auditArchives } from '@switchboard/database/audit/audit-archives.queries'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { archiveOldestMonth } from './archive-months.service.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
const folder = await mkdtemp(path.join(tmpdir(), 'archives-'))
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true })
})
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }
const retention = { months: 1, folder }
const fileOf = (archive: AuditArchive) => path.join(folder, fileNameOf(archive))

async function write(at: Date, entries: number): Promise<void> {
  const goal = 'two\nlines \u2028 and "quotes" \u{1f600}'
  const entry = { action: 'tenants.update', changes: { goal: { before: null, after: goal } } }
  await db.transaction().execute((trx) =>
    writeAudits(
      trx,
      at,
      actor,
      Array.from({ length: entries }, () => entry),
    ),
  )
  await sealAudit(db)
}

/** Runs statements as a malicious owner of the database. */
async function tamper(statement: string): Promise<void> {
  for (const table of ['audit_log', 'audit_archives'])
    await sql`alter table ${sql.id(table)} disable trigger user`.execute(db)
  await sql.raw(statement).execute(db)
  for (const table of ['audit_log', 'audit_archives'])
    await sql`alter table ${sql.id(table)} enable trigger user`.execute(db)
}

const rowsInLog = async () =>
  (await db.selectFrom('audit_log').select('seq').orderBy('seq').execute()).map(({ seq }) => seq)

async function archiveAll(): Promise<AuditArchive[]> {
  while ((await archiveOldestMonth(db, retention)) !== null) continue
  return await auditArchives(db)
}

/** The archive of January, three rows, and the one of March, two rows. */
async function archiveBoth(): Promise<[january: AuditArchive, march: AuditArchive]> {
  const [january, march] = await archiveAll()
  if (january === undefined || march === undefined) throw new Error('Both months are due.')
  return [january, march]
}

/** Rows 1 to 3 of January, 4 and 5 of March, 6 and 7 of the previous month, 8 and 9 of now. */
beforeEach(async () => {
  for (const file of await readdir(folder)) await rm(path.join(folder, file))
  await tamper(
    "delete from audit_log; delete from audit_archives; update audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex')",
  )
  const now = new Date()
  await write(new Date('2025-01-05T10:00:00Z'), 2)
  await write(new Date('2025-01-31T23:59:59.999Z'), 1)
  await write(new Date('2025-03-01T00:00:00Z'), 2)
  await write(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)), 2)
  await write(now, 2)
})

test('months older than the retention become files, later ones stay, and the chain holds', async () => {
  const [january, march] = await archiveBoth()
  expect([january, march]).toMatchObject([
    { month: '2025-01', first_seq: 1, last_seq: 3 },
    { month: '2025-03', first_seq: 4, last_seq: 5 },
  ])
  expect(await rowsInLog()).toEqual([6, 7, 8, 9])
  expect((await readdir(folder)).toSorted()).toEqual([fileNameOf(january), fileNameOf(march)])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 9, archives: [january, march] })
  expect(await checkArchiveFile(folder, january)).toMatchObject({ problem: null })
  expect(await checkArchiveFile(folder, march, 5)).toEqual({ problem: null, hashOf: march.hash_after })
  await write(new Date(), 1)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 10 })
})

test('a file has the hashed texts between the hashes of both ends', async () => {
  const [, march] = await archiveBoth()
  const [first = '', ...lines] = gunzipSync(await readFile(fileOf(march)))
    .toString()
    .trimEnd()
    .split('\n')
  const last = lines.pop() ?? ''
  const { hash_before, ...head } = JSON.parse(first)
  expect(head).toMatchObject({ switchboard_audit_archive: 1, month: '2025-03', first_seq: 4 })
  const hash = lines.reduce(
    (before, text) => createHash('sha256').update(Buffer.from(before, 'hex')).update(text).digest('hex'),
    hash_before,
  )
  expect(JSON.parse(last)).toEqual({ last_seq: 5, hash_after: hash })
  expect(lines.map((text) => JSON.parse(text)[0])).toEqual([4, 5])
})

test('a log whose rows are all archived holds and goes on', async () => {
  await tamper(
    'delete from audit_log where seq > 5; update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = 5)',
  )
  await archiveAll()
  expect(await rowsInLog()).toEqual([])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 5 })
  await write(new Date(), 1)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 6 })
})

test('a failure after the file leaves all rows, and the next attempt finishes', async () => {
  await sql`create trigger stopped before delete on audit_log for each statement execute function refuse_change()`.execute(
    db,
  )
  await expect(archiveOldestMonth(db, retention)).rejects.toThrow('append-only')
  const left = [(await readdir(folder)).length, (await rowsInLog()).length, (await auditArchives(db)).length]
  expect(left).toEqual([1, 9, 0])
  // The check would report the trigger.
  await sql`drop trigger stopped on audit_log`.execute(db)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds' })
  await writeFile(path.join(folder, 'audit-2025-01.part'), 'of a killed worker')
  const archives = await archiveBoth()
  expect((await readdir(folder)).toSorted()).toEqual(archives.map(fileNameOf))
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 9 })
})

test('several workers at once archive each month once', async () => {
  await Promise.all([archiveAll(), archiveAll(), archiveAll()])
  expect((await archiveAll()).map(({ month }) => month)).toEqual(['2025-01', '2025-03'])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 9 })
})

test('rows of a broken chain are not archived', async () => {
  await tamper("update audit_log set reason = 'x' where seq = 2")
  await expect(archiveOldestMonth(db, retention)).rejects.toThrow('breaks at row 2')
  expect([await readdir(folder), await auditArchives(db)]).toEqual([[], []])
})

test('only archived rows can be deleted, and archives cannot be changed', async () => {
  await archiveAll()
  for (const statement of ['delete from audit_log where seq = 6', 'update audit_archives set last_seq = 6'])
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only')
})

const ARCHIVE = 'insert into audit_archives (month, first_seq, last_seq, hash_before, hash_after, file_sha256)'
test.for([
  ['the oldest rows deleted without an archive', 'delete from audit_log where seq = 6'],
  [
    'a forged archive without its rows',
    `delete from audit_log where seq = 6; ${ARCHIVE} select '2025-04', 6, 6, hash_after, sha256('x'), sha256('x')
      from audit_archives where month = '2025-03'`,
  ],
  ['an edited hash', "update audit_archives set hash_after = sha256('x') where month = '2025-03'"],
  ['an edited hash between months', "update audit_archives set hash_after = sha256('x') where month = '2025-01'"],
  ['a removed archive', "delete from audit_archives where month = '2025-01'"],
  ['a removed last archive', "delete from audit_archives where month = '2025-03'"],
  ['a longer archive', "update audit_archives set last_seq = 6 where month = '2025-03'"],
  ['an archive of an earlier month', "update audit_archives set month = '2024-12' where month = '2025-03'"],
  [
    'a row added below the archives',
    'insert into audit_log select 5, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes, address, request_id, prev_hash, hash from audit_log where seq = 6',
  ],
] as const)('the check of the chain finds %s', async ([, statement]) => {
  await archiveAll()
  await tamper(statement)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'broken' })
})

test('an end noted before the archive is compared at the end of a month', async () => {
  const [january] = await archiveBoth()
  const noted = { seq: january.last_seq, hash: january.hash_after }
  expect(await verifyAuditChain(db, { noted })).toMatchObject({ state: 'holds' })
  expect(await verifyAuditChain(db, { noted: { ...noted, hash: january.hash_before } })).toMatchObject({
    state: 'broken',
    broken_row: 3,
  })
})

test('a check that began before the archive continues after it', async () => {
  const hash = (await db.selectFrom('audit_log').select('hash').where('seq', '=', 2).executeTakeFirstOrThrow()).hash
  await archiveAll()
  const from = { seq: 2, hash: hash.toString('hex') }
  expect(await verifyAuditChain(db, { from })).toMatchObject({ state: 'holds', checked: { seq: 9 } })
})

test('a missing or changed file is a problem that names it', async () => {
  const [january, march] = await archiveBoth()
  const [file, whole] = [fileOf(march), await readFile(fileOf(march))]
  const problemAfter = async (content: Buffer) => {
    await writeFile(file, content)
    return (await checkArchiveFile(folder, march)).problem
  }
  const text = gunzipSync(whole).toString()
  const name = fileNameOf(march)
  const changed = `${name} was changed: `
  expect(await problemAfter(gzipSync(text.replace('tenants.update', 'tenants.delete')))).toContain(changed)
  expect(await problemAfter(gzipSync(text.replace('"month":"2025-03"', '"month":"2025-04"')))).toContain(changed)
  expect(await problemAfter(gzipSync(text.split('\n').toSpliced(1, 1).join('\n')))).toContain(changed)
  expect(await problemAfter(whole.subarray(0, -20))).toContain(changed)
  expect(await problemAfter(Buffer.from('x'))).toContain(changed)
  expect(await problemAfter(await readFile(fileOf(january)))).toContain(changed)
  expect(await problemAfter(whole)).toBeNull()
  await rm(file)
  expect((await checkArchiveFile(folder, march)).problem).toBe(`${name} is missing.`)
})

test('a folder that cannot be written leaves all rows', async () => {
  const file = path.join(folder, 'a-file')
  await writeFile(file, '')
  onTestFinished(() => rm(file))
  await expect(archiveOldestMonth(db, { months: 1, folder: file })).rejects.toThrow(`${file} is not a folder.`)
  expect(await rowsInLog()).toHaveLength(9)
})
