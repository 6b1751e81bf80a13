import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { openBackupFile } from '@switchboard/backup/backup-file'
import { createOwnBackups, type OwnBackups } from '@switchboard/backup/own-backups'
import { makeBackup } from '@switchboard/backup/recorded-backup'
import { systemReport } from '@switchboard/contract/system'
import { parseSecretKey } from '@switchboard/database/stored-secrets/encryption'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createLogger } from '@switchboard/server/process/log'
import { shownSettings } from '@switchboard/server/settings/env'
import { makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { afterAll, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const url = '/api/v1/admin/system'
const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-system-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Part of each secret value. */
const CANARY = 'canary7f3a'
const SECRETS = {
  DATABASE_URL: `postgres://owner:${CANARY}@db.internal/main`,
  DATABASE_DIRECT_URL: `postgres://owner:${CANARY}@direct.internal/main`,
  SUPER_ADMIN_PASSWORD: `${CANARY} kettles under plum`,
  GOOGLE_MAPS_API_KEY: `${CANARY}-google`,
  WEBHOOK_SECRET: CANARY.repeat(4),
  SECRETS_KEY: Buffer.from(CANARY.padEnd(32)).toString('base64'),
  SECRETS_KEY_OLD: Buffer.from(CANARY.padStart(32)).toString('base64'),
  OIDC_CLIENT_SECRET: `${CANARY}-oidc`,
  SMTP_URL: `smtps://mailer:${CANARY}@mail.internal`,
}
const env = { ...SECRETS, BRAND_NAME: 'Acme', SMTP_URL: '', SMTP_URL_FILE: `/run/secrets/smtp`, PORT: '' }

const key = parseSecretKey(randomBytes(32).toString('base64'))
let backups: OwnBackups | null = null
const api = await startTestApi({
  shownSettings: shownSettings(env),
  queue: { enqueue: () => Promise.reject(new Error('Nothing is enqueued here.')), workers: () => queue.workers() },
  secretKeys: { current: key, old: [] },
  backups: { runningSince: () => ownBackups().runningSince(), start: () => ownBackups().start() },
})
const { db } = api
const queue = await openRunQueue({ db, directUrl: api.databaseUrl, log: createLogger('silent'), isWorker: true })
afterAll(() => queue.stop())
const actor = await api.signIn('ada@example.com')
const report = async () => systemReport.parse((await actor.call({ method: 'GET', url })).json())

function ownBackups(): OwnBackups {
  backups ??= createOwnBackups({ url: api.databaseUrl, folder, key, now: api.deps.now, onFailure: () => undefined })
  return backups
}

test('the report has versions, the database, the running worker, the end of the audit log and the last runs', async () => {
  const tenant = await makeTenant(db)
  const { id: task_id } = await makeTask(db, { tenant_id: tenant.id })
  const [earlier, later] = [new Date('2026-11-20T09:00:00.000Z'), new Date('2026-11-20T10:00:00.000Z')]
  const run = { task_id, started_at: earlier, reason: null }
  await makeRun(db, { ...run, outcome: 'succeeded', created_at: earlier, finished_at: earlier })
  await makeRun(db, { ...run, outcome: 'failed', created_at: later, finished_at: later, reason: 'timeout' })
  const { rows } = await db.selectFrom('audit_head').select('seq as rows').executeTakeFirstOrThrow()

  const found = await report()
  expect(found).toMatchObject({
    process: { node: process.version },
    database: { is_writable: true, version: expect.stringMatching(/^\d+/) },
    workers: [{ pid: process.pid, is_live: true }],
    google: { last_success_at: earlier.toISOString(), last_failure: { at: later.toISOString(), reason: 'timeout' } },
    mail: { is_on: false, newest: null },
    audit: { rows, end: expect.stringMatching(new RegExp(`^${rows}:[\\da-f]{64}$`)), held_month: null },
    as_of: api.clock.at.toISOString(),
  })
  expect(found.database.migrations_done).toBe(found.database.migrations_known)
  expect(found.database.connections_used).toBeGreaterThan(0)
  expect(found.database.connections_max).toBeGreaterThan(found.database.connections_used)
})

test('settings have their sources, and no part of a secret is in the answer', async () => {
  const answer = await actor.call({ method: 'GET', url })
  for (const part of [CANARY, SECRETS.SECRETS_KEY, SECRETS.SECRETS_KEY_OLD]) expect(answer.body).not.toContain(part)
  const { settings } = systemReport.parse(answer.json())
  const setting = (name: string) => settings.find((one) => one.name === name)
  const secrets = settings.filter((one) => one.is_secret)
  expect(secrets.map(({ name }) => name).toSorted()).toEqual(Object.keys(SECRETS).toSorted())
  expect(new Set(secrets.map(({ value }) => value))).toEqual(new Set([null]))
  expect(setting('DATABASE_URL')?.source).toBe('environment')
  expect(setting('SMTP_URL')?.source).toBe('file')
  expect(setting('BRAND_NAME')).toMatchObject({ value: 'Acme', source: 'environment' })
  expect(setting('PORT')).toMatchObject({ value: '3000', source: 'default' })
})

test('the comparison of the counters finds a wrong counter, and changes nothing', async () => {
  const check = async () => (await actor.call({ method: 'POST', url: `${url}/counters` })).json()
  expect(await check()).toMatchObject({ wrong: 0, examples: [] })
  const tenants = () => db.selectFrom('counters').selectAll().where('noun', '=', 'tenants').orderBy('id')
  await db
    .updateTable('counters')
    .set({ count: 41 })
    .where('noun', '=', 'tenants')
    .where('facet', '=', 'status')
    .execute()
  const before = await tenants().execute()
  const found = await check()
  expect(found.examples[0]).toMatchObject({ where: expect.stringContaining('tenants by status'), kept: 41, counted: 1 })
  expect(found.wrong).toBe(found.examples.length)
  expect(await tenants().execute()).toEqual(before)
})

const backUp = async () => await actor.call({ method: 'POST', url: `${url}/backups` })
const ended = async () => await expect.poll(async () => (await report()).backups.running_since).toBeNull()

test('a backup is audited, runs once at a time, and ends as a complete file that is recorded', async () => {
  expect((await report()).backups).toEqual({
    is_made_by_server: true,
    is_signed: true,
    newest: null,
    verified_at: null,
    failure: null,
    running_since: null,
  })
  const answers = await Promise.all([backUp(), backUp()])
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([202, 409]))
  await ended()
  const [name = ''] = readdirSync(folder)
  const file = path.join(folder, name)
  const { header, bytes, isSigned } = await openBackupFile(file, { keys: { current: key, old: [] } })
  expect(isSigned).toBe(true)
  expect((await report()).backups).toMatchObject({
    newest: { made_by: 'hand', file, bytes, audit_seq: header.audit_end.seq },
    failure: null,
  })
  const entry = await db.selectFrom('audit_entries').select('actor_id').where('action', '=', 'system.back_up').execute()
  expect(entry.map(({ actor_id }) => actor_id)).toContain(actor.admin.id)
})

test('the report says why the last backup failed, and keeps the newest complete one', async () => {
  const { newest } = (await report()).backups
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  await backUp()
  await ended()
  rmSync(folder)
  expect((await report()).backups).toMatchObject({
    newest,
    failure: { kind: 'backup', problem: expect.stringContaining(`${folder} is not a folder.`) },
  })
})

test('a server over another database makes no backups, and shows those that the command has recorded', async () => {
  const other = await startTestApi()
  await makeBackup({ url: other.databaseUrl, target: new PassThrough().resume(), key, made_by: 'timer' })
  const ada = await other.signIn('ada@example.com')
  const answer = await ada.call({ method: 'GET', url })
  expect(systemReport.parse(answer.json()).backups).toMatchObject({
    is_made_by_server: false,
    newest: { made_by: 'timer', file: null },
  })
  expect((await ada.call({ method: 'POST', url: `${url}/backups` })).statusCode).toBe(409)
})
