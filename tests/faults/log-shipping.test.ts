import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createBackup } from '@switchboard/backup/create-backup'
import { openBackupFile } from '@switchboard/backup/backup-file'
import { restoreBackup } from '@switchboard/backup/restore-backup'
import { unexplainedAccess } from '@switchboard/backup/unexplained-access'
import { auditEnd, verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { deletedMonths } from '@switchboard/database/audit/deleted-months.queries'
import { logSink } from '@switchboard/database/audit/log-sinks.queries'
import { writeAudit, writeAudits } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { migrate } from '@switchboard/database/migrate'
import { makeUser } from '@switchboard/testing/factories'
import { startCollector, startSyslogServer } from '@switchboard/testing/log-receivers'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { dataFolder, type ServerProcess, startProcess } from '#tests/server-process.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
const data = dataFolder()
const folder = path.join(data, 'files')
mkdirSync(folder)
// A worker started by root becomes another user.
chmodSync(folder, 0o777)
const collector = await startCollector()
const syslog = await startSyslogServer()
afterAll(async () => {
  await Promise.all([collector.close(), syslog.close()])
  await drop()
  rmSync(data, { recursive: true, force: true })
})

const WAIT = { timeout: 120_000, interval: 50 }
/** Rounds of the test that kills workers, and changes in each: by hand more, such as `KILLS=20 CHANGES=500`. */
const KILLS = Number(process.env['KILLS'] ?? 3)
const CHANGES = Number(process.env['CHANGES'] ?? 100)
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }
const settings = { DATABASE_URL: url, AUDIT_RETENTION: '12', AUDIT_FILES: folder, WEBHOOK_NETWORKS: '127.0.0.0/8' }
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
const filesIn = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.gz'))
    .toSorted()

const { id, email: name } = await makeUser(db)
const creation = { action: 'super_admins.create', target: { type: 'user', id, name, tenant_id: null } as const }
for (const at of ['2024-01-05T10:00:00Z', '2024-01-06T10:00:00Z', '2024-02-05T10:00:00Z', new Date().toISOString()])
  await db
    .transaction()
    .execute((trx) =>
      writeAudit(trx, new Date(at), actor, at.startsWith('2024-01-05') ? creation : { action: 'auth.login' }),
    )
await sealAudit(db)

test(
  'while workers are killed and receivers fail half the time, every entry arrives, in order, none with another content',
  async () => {
    const sinks = [
      await makeLogSink(db, { kind: 'otlp', address: collector.address }),
      await makeLogSink(db, { kind: 'syslog', address: syslog.address, certificate_authority: syslog.certificate }),
      await makeLogSink(db, { kind: 'file' }),
    ]
    for (const receiver of [collector, syslog]) receiver.fails = () => Math.random() < 0.5
    const entries = Array.from({ length: CHANGES }, (_, n) => ({ action: 'tenants.update', reason: `Change ${n}` }))
    let other = startWorker()
    for (let round = 0; round < KILLS; round += 1) {
      const worker = startWorker()
      const { seq } = await auditEnd(db)
      await db.transaction().execute((trx) => writeAudits(trx, new Date(), actor, entries))
      await vi.waitFor(async () => expect((await auditEnd(db)).seq).toBeGreaterThanOrEqual(seq + CHANGES), WAIT)
      await sql`update log_sinks set next_attempt_at = null`.execute(db)
      other.child.kill('SIGKILL')
      await other.ended
      other = worker
    }
    // A worker may add entries, such as those of alerts.
    const { seq: end } = await auditEnd(db)
    for (const receiver of [collector, syslog]) receiver.fails = () => false
    for (const sink of sinks.slice(0, 2))
      await vi.waitFor(async () => {
        // An attempt that failed before may have just set a long delay.
        await sql`update log_sinks set next_attempt_at = null`.execute(db)
        expect((await logSink(db, sink.id))?.position).toBeGreaterThanOrEqual(end)
      }, WAIT)
    const hashes = new Map(
      (await db.selectFrom('audit_log').select(['seq', 'hash']).execute()).map((row) => [
        row.seq,
        row.hash.toString('hex'),
      ]),
    )
    for (const receiver of [collector, syslog]) {
      const bySeq = Map.groupBy(receiver.received, ({ record: { seq } }) => seq)
      bySeq.delete(undefined)
      expect(bySeq.size).toBeGreaterThanOrEqual(end)
      expect([...bySeq.keys()]).toEqual(Array.from({ length: bySeq.size }, (_, n) => n + 1))
      for (const [seq, all] of bySeq) {
        expect(new Set(all.map(({ text }) => text)).size).toBe(1)
        // The worker may have deleted the rows of 2024.
        expect(all[0]?.record['hash']).toBe(hashes.get(Number(seq)) ?? all[0]?.record['hash'])
      }
    }
    other.child.kill('SIGKILL')
    await other.ended
  },
  60_000 + KILLS * 40_000,
)

test(
  'months that every sink has are deleted, and the chain and its files hold',
  async () => {
    const worker = startWorker()
    // A killed worker may have written the last file without moving the position.
    const behind = () => db.selectFrom('log_sinks').select('id').where('position', '<', 3).execute()
    await vi.waitFor(async () => expect(await behind()).toEqual([]), WAIT)
    expect(filesIn()).toHaveLength(3)
    // It has searched for months at its start, before the files were there.
    worker.child.kill('SIGTERM')
    await worker.ended
    const noted = await db.selectFrom('audit_log').select('hash').where('seq', '=', 1).executeTakeFirst()
    const next = startWorker()
    await vi.waitFor(async () => expect(await deletedMonths(db)).toHaveLength(2), WAIT)
    next.child.kill('SIGTERM')
    await next.ended
    // A worker may end before its last entries, such as those of the deleted months, are sealed.
    await sealAudit(db)
    const { seq } = await auditEnd(db)
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: seq })

    const hash = noted?.hash.toString('hex') ?? String(collector.received[0]?.record['hash'])
    const [first = ''] = filesIn()
    const [whole, wrong, without, unchecked, accepted, file] = await Promise.all([
      verify(settings, `1:${hash}`),
      verify(settings, `1:${'ab'.repeat(32)}`),
      verify({}, `1:${hash}`),
      verify({}),
      verify({}, '--without-files'),
      verify({}, path.join(folder, first)),
    ])
    expect(whole).toMatch(/^0 The audit log holds: \d+ rows\..*\nThe files hold: rows 1 to 3\.\n$/)
    expect(wrong).toMatch(/^1 .*\nThe files do not hold\. Row 1 differs from the noted row\.\n$/)
    expect(unchecked).toMatch(
      /^1 .*\nRows 1 to 3 were deleted, and no files of them were checked\. Set AUDIT_FILES .*\n$/,
    )
    expect(accepted).toMatch(/^0 .*\nRows 1 to 3 were deleted, and no files of them were checked\.\n$/)
    expect(without).toMatch(/^1 .*\n.*Set AUDIT_FILES.*\nRow 1 was deleted and not compared\.\n$/)
    expect(file).toMatch(/^0 .*\.ndjson\.gz holds: 2024-01-05, with rows 1 to 1\. Its end is 1:[\da-f]{64}\n$/)
  },
  60_000 + KILLS * 40_000,
)

test('the files explain the access of a member whose entry is deleted, and a changed file explains nothing', async () => {
  expect(await unexplainedAccess(db, undefined)).toMatchObject([{ id, reason: 'no entry of the audit log created it' }])
  expect(await unexplainedAccess(db, folder)).toEqual([])
  const file = path.join(folder, filesIn()[0] ?? '')
  const content = readFileSync(file)
  writeFileSync(file, content.subarray(0, -1))
  await expect(unexplainedAccess(db, folder)).rejects.toThrow(/^audit-2024-01-05-1-\w+\.ndjson\.gz was changed: /)
  writeFileSync(file, content)
})

test('a backup has the deleted months and the positions, and the restored chain holds', async () => {
  await using target = await createEmptyDatabase(inject('postgresUrl'))
  const file = path.join(data, 'months.backup')
  await createBackup(url, file, null)
  await restoreBackup(target.url, await openBackupFile(file, { keys: { current: null, old: [] } }))
  const deleted = await deletedMonths(db)
  expect(deleted).toHaveLength(2)
  expect(await verifyAuditChain(target.db)).toMatchObject({ state: 'holds', deleted })
  expect(await target.db.selectFrom('log_sinks').select('position').execute()).toHaveLength(3)
})

test('rows that the owner of the database deleted and listed as a deleted month fail the check of the files', async () => {
  await using target = await createEmptyDatabase(inject('postgresUrl'))
  await migrate(target.db)
  for (let n = 0; n < 3; n += 1)
    await target.db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, { action: 'tokens.create' }))
  await sealAudit(target.db)
  const { seq, hash } = await auditEnd(target.db)
  await sql`
    insert into audit_deleted_months (month, first_seq, last_seq, hash_before, hash_after)
    select '2024-01', 1, 2, decode(repeat('00', 32), 'hex'), hash from audit_log where seq = 2`.execute(target.db)
  await sql`delete from audit_log where seq <= 2`.execute(target.db)
  const { public_key } = await db
    .selectFrom('log_sinks')
    .select('public_key')
    .where('kind', '=', 'file')
    .executeTakeFirstOrThrow()
  const key = path.join(data, 'key.pem')
  writeFileSync(key, public_key ?? '')
  const checked = await verify({ DATABASE_URL: target.url, AUDIT_FILES: folder }, `${seq}:${hash}`, '--key', key)
  expect(checked).toMatch(/^1 .*\nThe files do not hold\. Row 2 of the files differs from the row that was deleted/)
  const unknown = await verify({ DATABASE_URL: target.url, AUDIT_FILES: folder })
  expect(unknown).toMatch(/^1 .*\nThe files do not hold\. .* was changed, or signed with another key/)
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
  const [first = '', second = ''] = filesIn()
  const [file, content] = [path.join(folder, first), readFileSync(path.join(folder, first))]
  writeFileSync(file, content.subarray(1))
  expect(await verify(settings)).toMatch(
    /^1 .*\nThe files do not hold\. audit-2024-01-05-1-\w+\.ndjson\.gz was changed, or/,
  )
  writeFileSync(file, content)
  rmSync(path.join(folder, second))
  expect(await verify(settings)).toMatch(
    /^1 .*\nThe files do not hold\. audit-2024-02-05-3-\w+\.ndjson\.gz does not continue the chain after row 1/,
  )
})
