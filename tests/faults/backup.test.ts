import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { activityList } from '@switchboard/contract/activity'
import { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import { runList } from '@switchboard/contract/runs/run-list'
import { taskList } from '@switchboard/contract/tasks'
import { tenantList } from '@switchboard/contract/tenants'
import { userList } from '@switchboard/contract/users'
import { openBackupFile } from '@switchboard/backup/backup-file'
import { createBackup } from '@switchboard/backup/create-backup'
import { restoreBackup } from '@switchboard/backup/restore-backup'
import { auditEnd, verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { addedFields, writeAudit, writeAudits } from '@switchboard/database/audit/audit.queries'
import { connect } from '@switchboard/database/connection/connect'
import { migrateWithin } from '@switchboard/database/migrate'
import { recount } from '@switchboard/database/recount'
import type { Database } from '@switchboard/database/tables'
import { parseSettings } from '@switchboard/server/settings/env'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import {
  makeApiKey,
  makeManyTenants,
  makeReview,
  makeRun,
  makeTask,
  makeTenant,
  makeUser,
} from '@switchboard/testing/factories'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { makeToken } from '@switchboard/testing/token-factory'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { installedPostgres, startInstalledPostgres } from '#tests/installed-postgres.ts'
import { dataFolder, startProcess } from '#tests/server-process.ts'

// A backup is proven by restoring it on real PostgreSQL.

const postgresUrl = inject('postgresUrl')
const folder = dataFolder()
const fileIn = (name: string) => path.join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Signs the backups. */
const SECRETS_KEY = randomBytes(32).toString('base64')
const keys = parseSettings({ SECRETS_KEY }).secretKeys
const key = keys.current

const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }

/** A database with a record of each kind, for tests that do not change it. */
const source = await createTestDatabase(postgresUrl)
const SOURCE_FILE = fileIn('source.backup')
beforeAll(async () => {
  await makeManyTenants(source.db, 3_000)
  await makeWorld(source.db)
  await createBackup(source.url, SOURCE_FILE, key)
})
afterAll(() => source.drop())

async function makeWorld(db: Kysely<Database>): Promise<void> {
  const { id: tenant_id } = await makeTenant(db, {
    name: 'Tab\t "quote" \\. Ünïcode \u{1f600}',
    goal: 'line\n\\.\nline',
  })
  await makeUser(db, { tenant_id, role: 'admin' })
  const { id: rotated_from } = await makeApiKey(db, { tenant_id, allowed_origins: ['https://a.example'] })
  await makeApiKey(db, { tenant_id, rotated_from })
  const task = await makeTask(db, { tenant_id })
  await makeRun(db, { task_id: task.id, reviews_returned: 1 })
  await makeReview(db, { task_id: task.id })
  const { id, email: name } = await makeUser(db)
  const token = await makeToken(db, { created_by_id: id })
  const at = new Date('2026-11-01T00:00:00.000Z')
  await db.transaction().execute((trx) =>
    writeAudits(trx, at, actor, [
      { action: 'super_admins.create', target: { type: 'user', id, name, tenant_id: null } },
      {
        action: 'tokens.create',
        target: { type: 'token', id: token.id, name: token.name, tenant_id: null },
        changes: addedFields({ scopes: token.scopes }),
      },
    ]),
  )
}

const bin15 = installedPostgres().find((bin) => bin.includes('/15/'))
const over = bin15 === undefined ? '' : 'over PostgreSQL 15 and back, '

async function restoreFile(url: string, file: string): Promise<void> {
  await restoreBackup(url, await openBackupFile(file, { keys }))
}

const relations = async (db: Kysely<Database>) =>
  (await sql<{ count: number }>`select count(*) from pg_class where relnamespace = 'public'::regnamespace`.execute(db))
    .rows[0]?.count

test(`a restored database answers the same files of all lists, ${over}for an ordinary role`, async () => {
  const LISTS: string[] = [tenantList, userList, apiKeyList, taskList, runList].map((list) => list.export.url)
  // The entries of the day before. Exports, which are entries too, follow after midnight.
  LISTS.push(`${activityList.export.url}?to=2026-11-19`)
  const exportsOf = async (call: (request: { method: 'POST'; url: string }) => Promise<{ rawPayload: Buffer }>) => {
    const files: string[] = []
    for (const url of LISTS) files.push((await call({ method: 'POST', url })).rawPayload.toString())
    return files
  }
  const api = await startTestApi()
  api.clock.at = new Date('2026-11-19T23:55:00.000Z')
  const ada = await api.signIn('ada@example.com')
  await makeWorld(api.db)
  await exportsOf(ada.call)
  api.minutesLater(6)
  const files = await exportsOf(ada.call)
  expect(files.map((file) => file.split('\r\n').length > 2)).toEqual(LISTS.map(() => true))
  const end = await auditEnd(api.db)
  await createBackup(api.databaseUrl, fileIn('first.backup'), key)

  const last = await over15(fileIn('first.backup'))
  await using target = await createEmptyDatabase(postgresUrl, { isOrdinary: true })
  await restoreFile(target.url, last)
  expect(await verifyAuditChain(target.db, { noted: end })).toMatchObject({ state: 'holds', checked: end })
  expect(await recount(target.db)).toEqual([])

  const restored = await startTestApi({ db: target.db, streamDb: target.db })
  restored.clock.at = new Date('2026-11-21T12:00:00.000Z')
  expect((await restored.me(ada.token)).statusCode).toBe(401)
  const token: string = (await restored.login('ada@example.com')).json().access_token
  await sql`update users set last_sign_in_at = '2026-11-19T23:55:00Z' where email = 'ada@example.com'`.execute(
    target.db,
  )
  const call = (request: { method: 'POST'; url: string }) =>
    restored.call({ ...request, headers: { authorization: `Bearer ${token}` } })
  expect(await exportsOf(call)).toEqual(files)
  // New rows continue the sequences and the chain.
  await makeWorld(target.db)
  expect(await recount(target.db)).toEqual([])
  expect(await verifyAuditChain(target.db)).toMatchObject({ state: 'holds' })
})

/** Restores the file on Debian's PostgreSQL 15 and makes another backup there. Without that PostgreSQL, the same file. */
async function over15(file: string): Promise<string> {
  if (bin15 === undefined) return file
  const server = await startInstalledPostgres(bin15)
  try {
    await restoreFile(server.url, file)
    const db = connect(server.url, { max: 1, onLost: () => undefined })
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds' })
    await db.destroy()
    const { header } = await createBackup(server.url, fileIn('over-15.backup'), key)
    expect(header.postgresql).toMatch(/^15\./)
    return fileIn('over-15.backup')
  } finally {
    await server.stop()
  }
}

test('a restored schema is the schema of the migrations', async () => {
  await using target = await createEmptyDatabase(postgresUrl)
  await restoreFile(target.url, SOURCE_FILE)
  const schemaOf = async (db: Kysely<Database>) => {
    const { rows } = await sql`
      select conrelid::regclass::text as place, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace
      union all
      select tgrelid::regclass::text, tgname, tgenabled::text || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all
      select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
      order by 1, 2, 3`.execute(db)
    return rows
  }
  expect(await schemaOf(target.db)).toEqual(await schemaOf(source.db))
})

test('a backup under load is one snapshot', async () => {
  const loaded = await createTestDatabase(postgresUrl)
  const stopping = new AbortController()
  const write = async () => {
    while (!stopping.signal.aborted)
      await loaded.db.transaction().execute(async (trx) => {
        await makeTenant(trx)
        await writeAudit(trx, new Date(), actor, { action: 'tenants.create' })
      })
  }
  await makeManyTenants(loaded.db, 3_000)
  const writing = Array.from({ length: 4 }, write)
  await createBackup(loaded.url, fileIn('loaded.backup'), key).finally(() => stopping.abort())
  await Promise.all(writing)
  const tenantsOf = async (db: Kysely<Database>) =>
    (await sql<{ count: number }>`select count(*) from tenants`.execute(db)).rows[0]?.count ?? 0

  await using target = await createEmptyDatabase(postgresUrl)
  await restoreFile(target.url, fileIn('loaded.backup'))
  const entries = (await target.db.selectFrom('audit_entries').select('seq').execute()).length
  expect(await tenantsOf(target.db)).toBe(3_000 + entries)
  expect(await tenantsOf(loaded.db)).toBeGreaterThan(3_000 + entries)
  expect(await verifyAuditChain(target.db)).toMatchObject({ state: 'holds' })
  expect(await recount(target.db)).toEqual([])
  await loaded.drop()
})

test('a backup from before a migration is migrated by the restore', async () => {
  await using old = await createEmptyDatabase(postgresUrl)
  await old.db.transaction().execute((trx) => migrateWithin(trx, '0016_audit_log'))
  await sql`insert into tenants (name, subdomain, tenant_type) values ('Acme', 'acme', 'product')`.execute(old.db)
  expect((await createBackup(old.url, fileIn('old.backup'), key)).header.migration).toBe('0016_audit_log')
  await using target = await createEmptyDatabase(postgresUrl)
  await restoreFile(target.url, fileIn('old.backup'))
  expect(await target.db.selectFrom('tenants').select('name').execute()).toEqual([{ name: 'Acme' }])
  expect(await target.db.selectFrom('deletions').selectAll().execute()).toEqual([])
  expect(await recount(target.db)).toEqual([])
})

test('only the owner may read the file, and an existing file is refused by the command', async () => {
  expect((statSync(SOURCE_FILE).mode & 0o777).toString(8)).toBe('600')
  expect(await startProcess({ DATABASE_URL: source.url }, 'scripts/backup.ts', SOURCE_FILE).ended).toEqual({
    code: 1,
    stderr: `${SOURCE_FILE} exists. Choose another name.\n`,
  })
})

test('a database that is not empty is refused unchanged', async () => {
  await using target = await createEmptyDatabase(postgresUrl)
  await sql`create table notes ()`.execute(target.db)
  await expect(restoreFile(target.url, SOURCE_FILE)).rejects.toThrow(
    'The database is not empty: it has notes. Create another database, or with the embedded PostgreSQL move its data folder away.',
  )
  expect(await relations(target.db)).toBe(1)
})

test('after a kill -9 while rows are copied or indexed the database is empty, and a second restore succeeds', async () => {
  await using target = await createEmptyDatabase(postgresUrl)
  const copying = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and query like any(array['COPY %', 'CREATE %INDEX %'])`.execute(target.db)
    return rows.length
  }
  const killed = startProcess({ DATABASE_URL: target.url, SECRETS_KEY }, 'scripts/restore.ts', SOURCE_FILE)
  await expect.poll(copying, { timeout: 60_000, interval: 1 }).toBe(1)
  killed.child.kill('SIGKILL')
  await killed.ended
  await expect.poll(() => relations(target.db)).toBe(0)
  const restored = startProcess({ DATABASE_URL: target.url, SECRETS_KEY }, 'scripts/restore.ts', SOURCE_FILE)
  expect(await restored.ended).toEqual({ code: 0, stderr: '' })
  expect(restored.output()).toMatch(/The audit log holds: \d+ rows\..*\nAll counters are correct\.\n/)
})

test('with the old data folder, the command lists the key that was revoked after the backup', async () => {
  const [old, restored] = [path.join(folder, 'old'), path.join(folder, 'restored')]
  const file = fileIn('embedded.backup')
  const postgres = await startEmbeddedPostgres({ dataDir: old, durable: false, log: () => undefined })
  const db = connect(postgres.url, { onLost: () => undefined })
  await db.transaction().execute((trx) => migrateWithin(trx))
  const { id: tenant_id } = await makeTenant(db, { name: 'Acme' })
  await makeApiKey(db, { tenant_id, name: 'Kept' })
  const revoked = await makeApiKey(db, { tenant_id, name: 'Leaked' })
  const backup = startProcess({ DATA_DIR: old, SECRETS_KEY }, 'scripts/backup.ts', file)
  expect(await backup.ended).toEqual({ code: 0, stderr: '' })
  await db
    .updateTable('api_keys')
    .set({ is_active: false, revoked_at: new Date() })
    .where('id', '=', revoked.id)
    .execute()
  await db.destroy()
  await postgres.stop()

  const command = startProcess({ DATA_DIR: restored, SECRETS_KEY }, 'scripts/restore.ts', file, old)
  // A busy machine says that PostgreSQL creates its data.
  expect(await command.ended).toMatchObject({ code: 0 })
  const [, listed = ''] = command.output().split('Revoke again, because the old database does not accept them:\n')
  expect(listed.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    `  API key ${revoked.id} "Leaked", sb_live_${revoked.key_start}…${revoked.key_last4} of Acme`,
  ])
})
