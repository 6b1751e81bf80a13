import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createBackup } from '@switchboard/backup/create-backup'
import { openBackupFile } from '@switchboard/backup/backup-file'
import { restoreBackup } from '@switchboard/backup/restore-backup'
import { unexplainedAccess } from '@switchboard/backup/unexplained-access'
import { auditArchives } from '@switchboard/database/audit/audit-archives.queries'
import { auditEnd, verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { migrate } from '@switchboard/database/migrate'
import { makeUser } from '@switchboard/testing/factories'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { dataFolder, type ServerProcess, startProcess } from '#tests/server-process.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
const data = dataFolder()
const folder = path.join(data, 'archive')
mkdirSync(folder)
// A worker started by root becomes another user.
chmodSync(folder, 0o777)
afterAll(async () => {
  await drop()
  rmSync(data, { recursive: true, force: true })
})

const WAIT = { timeout: 120_000, interval: 50 }
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }
const settings = { DATABASE_URL: url, AUDIT_RETENTION: '12', AUDIT_ARCHIVE: folder }
function startWorker(): ServerProcess {
  const worker = startProcess(settings, 'apps/worker/src/main.ts')
  onTestFinished(() => void worker.child.kill('SIGKILL'))
  return worker
}
const verify = async (given: Record<string, string>, ...args: string[]) => {
  const { ended, output } = startProcess({ DATABASE_URL: url, ...given }, 'scripts/audit-verify.ts', ...args)
  const { code } = await ended
  return `${code} ${output()}`
}
const filesIn = () => readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'))

const { id, email: name } = await makeUser(db)
const creation = { action: 'super_admins.create', target: { type: 'user', id, name, tenant_id: null } as const }
for (const at of ['2024-01-05T10:00:00Z', '2024-01-06T10:00:00Z', '2024-02-05T10:00:00Z', new Date().toISOString()])
  await db
    .transaction()
    .execute((trx) =>
      writeAudit(trx, new Date(at), actor, at.startsWith('2024-01-05') ? creation : { action: 'auth.login' }),
    )
await sealAudit(db)

test('a worker that is killed between the file and the deletion leaves the rows, and the next one finishes', async () => {
  const noted = await db.selectFrom('audit_log').select('hash').where('seq', '=', 1).executeTakeFirstOrThrow()
  const lock = await db.startTransaction().execute()
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock)
  await sql`lock table audit_archives in share mode`.execute(lock)
  const killed = startWorker()
  await vi.waitFor(() => expect(filesIn()).toHaveLength(1), WAIT)
  killed.child.kill('SIGKILL')
  await killed.ended
  await lock.rollback().execute()
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 4, archives: [] })

  const next = startWorker()
  await vi.waitFor(async () => expect(await auditArchives(db)).toHaveLength(2), WAIT)
  next.child.kill('SIGTERM')
  await next.ended
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 4, checked: { seq: 4 } })
  expect(filesIn()).toHaveLength(2)

  const end = `1:${noted.hash.toString('hex')}`
  const [whole, wrong, without, unchecked, accepted] = await Promise.all([
    verify(settings, end),
    verify(settings, `1:${'ab'.repeat(32)}`),
    verify({}, end),
    verify({}),
    verify({}, '--without-archives'),
  ])
  expect(whole).toMatch(
    /^0 The audit log holds: 1 rows\..*\nThe archives hold: 2024-01 to 2024-02, with rows 1 to 3\.\n$/,
  )
  expect(wrong).toMatch(/^1 .*\nRow 1 in audit-2024-01-\w+\.ndjson\.gz differs from the noted row\.\n$/)
  const months =
    'The archives were not checked, so deleted rows could be listed as archived: months 2024-01 to 2024-02, with rows 1 to 3'
  expect(unchecked).toMatch(new RegExp(`^1 .*\\n${months}\\. Set AUDIT_ARCHIVE .*--without-archives\\.\\n$`))
  expect(accepted).toMatch(new RegExp(`^0 .*\\n${months}\\.\\n$`))
  expect(without).toMatch(
    /^1 .*\n.*Set AUDIT_ARCHIVE.*\nRow 1 is archived in audit-2024-01-\w+\.ndjson\.gz and was not/,
  )
})

test('the archives explain the access of a member whose entry is archived, and a changed file explains nothing', async () => {
  expect(await unexplainedAccess(db, undefined)).toMatchObject([{ id, reason: 'no entry of the audit log created it' }])
  expect(await unexplainedAccess(db, folder)).toEqual([])
  const [first = ''] = filesIn().toSorted()
  const content = readFileSync(path.join(data, first))
  writeFileSync(path.join(data, first), content.subarray(0, -1))
  await expect(unexplainedAccess(db, folder)).rejects.toThrow(/^audit-2024-01-\w+\.ndjson\.gz was changed: /)
  writeFileSync(path.join(data, first), content)
})

test('a backup has the archives, and the restored chain holds', async () => {
  await using target = await createEmptyDatabase(inject('postgresUrl'))
  const file = path.join(data, 'archives.backup')
  await createBackup(url, file, null)
  await restoreBackup(target.url, await openBackupFile(file, { keys: { current: null, old: [] } }))
  const archives = await auditArchives(db)
  expect(archives).toHaveLength(2)
  expect(await verifyAuditChain(target.db)).toMatchObject({ state: 'holds', rows: 4, archives })
})

test('rows that the owner of the database deleted and listed as an archive fail the check', async () => {
  await using target = await createEmptyDatabase(inject('postgresUrl'))
  await migrate(target.db)
  for (let n = 0; n < 3; n += 1)
    await target.db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, { action: 'tokens.create' }))
  await sealAudit(target.db)
  const { seq, hash } = await auditEnd(target.db)
  await sql`
    insert into audit_archives (month, first_seq, last_seq, hash_before, hash_after, file_sha256)
    select '2024-01', 1, 2, decode(repeat('00', 32), 'hex'), hash, sha256('x') from audit_log where seq = 2`.execute(
    target.db,
  )
  await sql`delete from audit_log where seq <= 2`.execute(target.db)
  const DATABASE_URL = target.url
  const end = `${seq}:${hash}`
  expect(await verify({ DATABASE_URL }, end)).toMatch(
    /^1 The audit log holds: 1 rows\..*\nThe archives were not checked/,
  )
  expect(await verify({ DATABASE_URL, AUDIT_ARCHIVE: folder }, end)).toMatch(/^1 .*\n.* is missing\.\n$/)
})

test('the check says which entries are not sealed', async () => {
  await using target = await createEmptyDatabase(inject('postgresUrl'))
  await migrate(target.db)
  for (let n = 0; n < 2; n += 1)
    await target.db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, { action: 'tokens.create' }))
  const [first, second] = (await verify({ DATABASE_URL: target.url })).split('\n')
  expect(first).toMatch(/^0 The audit log holds: 0 rows\. Its end is 0:0+$/)
  expect(second).toMatch(
    /^Not proven: 2 entries that are not sealed yet, the oldest for \d+ s\. Until a worker seals them, the owner of the database can change or remove them without a trace\.$/,
  )
})

test('npm run audit:verify names a changed and a missing file', async () => {
  const [first = '', second = ''] = filesIn().toSorted()
  const content = readFileSync(path.join(data, first))
  writeFileSync(path.join(data, first), content.subarray(1))
  rmSync(path.join(data, second))
  const output = await verify(settings)
  expect(output).toMatch(
    /^1 .*audit-2024-01-\w+\.ndjson\.gz was changed: .*audit-2024-02-\w+\.ndjson\.gz is missing\.\n$/s,
  )
})
