import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { msSinceLook } from '@switchboard/database/alerts/alerts.queries'
import { databaseClock } from '@switchboard/database/database-clock'
import type { Database } from '@switchboard/database/tables'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createLogger } from '@switchboard/server/process/log'
import { parseSettings } from '@switchboard/server/settings/env'
import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { startMailbox } from '@switchboard/testing/mailbox'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { type Kysely, sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { checkClock } from '#scripts/doctor/database-checks.ts'
import { diagnose } from '#scripts/doctor/diagnose.ts'
import { findingsOf } from '#scripts/doctor/finding.ts'
import { checkDisk } from '#scripts/doctor/machine-checks.ts'
import { checkVersions, settingsChecks } from '#scripts/doctor/settings-checks.ts'
import { answering } from '#tests/answering.ts'
import { resultsOf } from '#tests/findings.ts'
import { hasPgBouncer, startPgBouncer } from '#tests/pgbouncer.ts'
import { dataFolder, SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// `npm run doctor` finds each fault that it checks for, and says nothing else about a sound installation.

const REMOTE = 'postgresql://switchboard@db.internal/switchboard'
/** Nothing answers there. */
const CLOSED = 'http://127.0.0.1:1'

async function database() {
  const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  return { db, url }
}

const diagnosisOf = (url: string, mainUrl = url) => {
  const settings = parseSettings({
    DATABASE_URL: mainUrl,
    DATABASE_DIRECT_URL: url,
    WEBHOOK_SECRET: SHARED_SECRET,
    PUBLIC_URL: CLOSED,
    AI_API_URL: CLOSED,
  })
  return resultsOf(diagnose(settings, { url: mainUrl, directUrl: url }))
}

test('a sound installation has only findings that are ok, and its bundle has no secret', async () => {
  await using own = await createEmptyDatabase(inject('postgresUrl'), { isOrdinary: true })
  const { url } = own
  const google = await answering({})
  const shared = { DATABASE_URL: url, WEBHOOK_SECRET: SHARED_SECRET, GOOGLE_MAPS_API_KEY: 'secret-google-key' }
  const server = startProcess({ ...shared, GOOGLE_PLACES_URL: google, SUPER_ADMIN_PASSWORD: 'seven sisters at dusk' })
  const address = await server.ready()
  await expect.poll(() => server.output()).toContain('AI API')
  const [, aiAddress = ''] = /AI API +([^\s"]+)/.exec(server.output()) ?? []
  // The worker starts last, and looks for causes of alerts then.
  await expect.poll(() => msSinceLook(own.db)).toBeLessThan(Infinity)
  const mailbox = await startMailbox()
  onTestFinished(() => mailbox.close())
  const folder = dataFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [bundle, SECRETS_KEY] = [path.join(folder, 'bundle.json'), btoa('k'.repeat(32))]
  const addresses = { GOOGLE_PLACES_URL: google, PUBLIC_URL: address, AI_API_URL: aiAddress }
  const settings = {
    ...shared,
    ...addresses,
    SECRETS_KEY,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'console@example.com',
    SUPER_ADMIN_EMAIL: 'ada@example.com',
    SECURITY_CONTACT: 'mailto:security@example.com',
  }
  expect(await startProcess(settings, 'scripts/backup.ts', path.join(folder, 'a.backup')).ended).toMatchObject({
    code: 0,
  })
  const doctor = startProcess(settings, 'scripts/doctor.ts', '--bundle', bundle)
  expect(await doctor.ended, doctor.output()).toMatchObject({ code: 0 })
  const lines = doctor
    .output()
    .split('\n')
    .filter((line) => /^(ok|warning|failed)/.test(line))
  expect(lines.filter((line) => !line.startsWith('ok')).join('\n')).toBe('')
  expect(lines.length).toBeGreaterThan(15)

  const text = readFileSync(bundle, 'utf8')
  expect(text).not.toMatch(new RegExp(`secret-|${SHARED_SECRET}|${RegExp.escape(url)}|seven sisters`))
  const {
    findings,
    settings: shown,
    database: report,
  } = z
    .object({ findings: z.array(z.unknown()), settings: z.record(z.string(), z.string()), database: z.looseObject({}) })
    .parse(JSON.parse(text))
  expect(findings).toHaveLength(lines.length)
  expect(text).not.toMatch(/console@example\.com|ada@example\.com|security@example\.com/)
  expect(shown).toMatchObject({
    DATABASE_URL: '(set)',
    MAIL_FROM: '(set)',
    SUPER_ADMIN_EMAIL: '(set)',
    GOOGLE_MAPS_API_KEY: '(set)',
    PUBLIC_URL: address,
  })
  expect(report).toMatchObject({ settings: expect.arrayContaining([expect.objectContaining({ name: 'fsync' })]) })
  expect(statSync(bundle).mode & 0o777).toBe(0o600)

  const again = startProcess(settings, 'scripts/doctor.ts', '--bundle', bundle)
  expect(await again.ended).toMatchObject({ code: 1 })
  server.child.kill('SIGTERM')
  await server.ended
})

test.for([
  [
    { AI_API_URL: 'http://admin:s#cret/@ai-api:3001/path' },
    'settings           AI_API_URL must be an origin, such as http://ai-api.internal:3001, not "http://…@ai-api:3001/path". Remove the user and the password: this address has none.',
  ],
  [{ PORT: 'none' }, 'settings           PORT must be a whole number from 1 to 65535, not "none".'],
  [
    { DATA_DIR: '/no/data' },
    'database           There is no /no/data yet: start Switchboard once, or set DATABASE_URL.',
  ],
] as const)('%o is a finding and exit code 1', async ([settings, line]) => {
  const doctor = startProcess(settings, 'scripts/doctor.ts')
  expect(await doctor.ended).toEqual({ code: 1, stderr: '' })
  expect(doctor.output()).toContain(`failed   ${line}\n`)
})

describe('a fault of the settings', () => {
  const faults: [check: string, env: Record<string, string>, says: string][] = [
    ['webhook secret', { WEBHOOK_SECRET: '' }, 'failed: WEBHOOK_SECRET is not set.'],
    ['public address', { PUBLIC_URL: '' }, 'warning: PUBLIC_URL is not set'],
    ['proxy', { TRUST_PROXY: '' }, 'warning: TRUST_PROXY is not set'],
    ['encryption', { DATABASE_URL: REMOTE }, 'warning: The connection to the database db.internal:5432/switchboard is'],
  ]
  test.for(faults)('%s', async ([check, env, says]) => {
    const settings = parseSettings({
      DATABASE_URL: `${REMOTE}?sslmode=verify-full`,
      WEBHOOK_SECRET: SHARED_SECRET,
      PUBLIC_URL: 'https://console.example.com',
      TRUST_PROXY: '10.0.0.1',
      ...env,
    })
    const url = settings.databaseUrl ?? ''
    const { [check]: found, ...others } = await resultsOf(findingsOf(settingsChecks(settings, { url, directUrl: url })))
    expect(found).toContain(says)
    expect(Object.values(others).filter((text) => !text.startsWith('ok'))).toEqual([])
  })

  test.for([
    [`${REMOTE}?sslmode=verify-full`, 'encrypted, and its certificate is checked.'],
    ['postgresql://127.0.0.1/d', 'not encrypted, but they do not leave this machine.'],
    [`${REMOTE}?sslmode=disable`, 'not encrypted, as sslmode=disable says. Its network must be isolated.'],
  ])('the connections to %s are %s', async ([url = '', says]) => {
    const results = await resultsOf(findingsOf(settingsChecks(parseSettings({}), { url, directUrl: url })))
    expect(results['encryption']).toBe(`ok: The connections to the database are ${says}`)
  })

  test('an old Node', () => expect(checkVersions('22.11.0')).toMatchObject({ state: 'failed' }))
})

async function recordBackup(db: Kysely<Database>, fields: object = {}): Promise<void> {
  const backup = { kind: 'backup', made_by: 'timer', file: null, bytes: 1, audit_seq: 1, problem: null } as const
  await db
    .insertInto('backups')
    .values({ ...backup, ...fields })
    .execute()
}

type Fault = [check: string, make: (db: Kysely<Database>, url: string) => Promise<unknown>, says: string]
const FAULTS: Fault[] = [
  [
    'migrations',
    (db) => sql`delete from migrations where name = (select max(name) from migrations)`.execute(db),
    'failed: Pending: 0',
  ],
  ['extensions', (db) => sql`drop extension pg_trgm cascade`.execute(db), 'failed: pg_trgm is missing'],
  [
    'audit log',
    (db) => sql`update audit_head set seq = seq + 1`.execute(db),
    'failed: The log ends at row 0, but its head says row 1.',
  ],
  [
    'counters',
    async (db) => {
      await makeTenant(db)
      await sql`update counters set count = count + 2 where noun = 'tenants' and facet = 'status'`.execute(db)
    },
    'failed: 1 are wrong: tenants by status, active is 3 instead of 1. Run "npm run db:recount".',
  ],
  [
    'queue',
    async (db) => {
      const { id: tenant_id } = await makeTenant(db)
      await makeTask(db, { tenant_id, next_run: new Date(Date.now() - 600_000) })
    },
    'failed: 1 tasks are due, the oldest for 10 minutes. Start a worker',
  ],
  ['backups', async () => undefined, 'warning: None is recorded. Run "npm run backup" each night from a timer'],
  [
    'backups',
    (db) => recordBackup(db, { at: sql`now() - interval '27 hours'` }),
    'warning: The newest ended 27 hours ago, none was verified yet. Run "npm run backup" each night from a timer',
  ],
  [
    'backups',
    async (db) => {
      await recordBackup(db, { at: sql`now() - interval '40 days'` })
      await recordBackup(db)
    },
    'warning: The newest ended 0 hours ago, none was verified yet. Run "npm run backup -- --verify".',
  ],
  [
    'backups',
    async (db) => {
      await recordBackup(db)
      await recordBackup(db, { kind: 'verification', problem: 'The file is damaged.' })
    },
    'warning: The last verification failed at ',
  ],
  [
    'session settings',
    async (db) => {
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
      const name = sql.id(rows[0]?.name ?? '')
      await sql`alter database ${name} set default_transaction_isolation = serializable`.execute(db)
      await sql`alter role current_user in database ${name} set timezone = 'Asia/Tokyo'`.execute(db)
    },
    'ok: default_transaction_isolation=serializable (database), TimeZone=Asia/Tokyo (role in this database). Switchboard overrides the settings that it relies on.',
  ],
  [
    'session settings',
    async (db) => {
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
      await sql`alter database ${sql.id(rows[0]?.name ?? '')} set session_replication_role = replica`.execute(db)
    },
    'warning: session_replication_role=replica of the database: Triggers do not run, so counters and the audit log become wrong.',
  ],
  ['stored secrets', async () => undefined, 'warning: SECRETS_KEY is not set'],
  [
    'connections',
    async (db) => {
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
      await sql`alter database ${sql.id(rows[0]?.name ?? '')} connection limit 8`.execute(db)
    },
    'of the 8 connections of this database are in use. One more process opens up to 16.',
  ],
]

describe('a fault of the database', () => {
  test.for(FAULTS)('%s', async ([check, make, says]) => {
    const { db, url } = await database()
    await make(db, url)
    expect((await diagnosisOf(url))[check]).toContain(says)
  })

  test('a job that no worker takes', async () => {
    const { db, url } = await database()
    const queue = await openRunQueue({ db, directUrl: url, log: createLogger('silent'), isWorker: false })
    onTestFinished(() => queue.stop())
    await db.transaction().execute((trx) => queue.enqueue(trx, [{ run_id: crypto.randomUUID() }]))
    expect((await diagnosisOf(url))['queue']).toBe('ok: 1 jobs wait.')
    await sql`update pgboss.job set start_after = now() - interval '5 minutes'`.execute(db)
    expect((await diagnosisOf(url))['queue']).toBe(
      'failed: 1 jobs wait, the oldest for 5 minutes. Start a worker, or read its log.',
    )
  })

  test('a role without rights', async () => {
    const { db, url } = await database()
    const role = `doctor_${crypto.randomUUID().replaceAll('-', '')}`
    const own = new URL(url)
    await sql`create role ${sql.id(role)} login password ${sql.lit(decodeURIComponent(own.password))}`.execute(db)
    onTestFinished(async () => {
      await sql`drop role ${sql.id(role)}`.execute(db)
    })
    own.username = role
    expect((await diagnosisOf(own.toString()))['rights']).toContain(
      `does not let ${role} create tables in the schema public. Run: grant create on schema "public" to "${role}"`,
    )
  })

  test('a superuser', async () => {
    const { url } = await database()
    expect((await diagnosisOf(url))['rights']).toBe(
      'warning: The role is a superuser of PostgreSQL. Use one that only owns this database (docs/operate/database.md).',
    )
  })

  test('a database that does not answer is the only finding about the database', async () => {
    const results = await diagnosisOf('postgresql://u@127.0.0.1:1/none')
    expect(results['database']).toBe(
      'failed: DATABASE_URL: 127.0.0.1:1 refuses connections. Is PostgreSQL running there?',
    )
    expect(Object.keys(results)).not.toContain('rights')
  })

  test.skipIf(!hasPgBouncer)('a transaction pooler', async () => {
    const { url } = await database()
    const pooler = await startPgBouncer(url, ['ignore_startup_parameters = options,statement_timeout'])
    onTestFinished(() => pooler.stop())
    expect((await diagnosisOf(pooler.url))['pooler']).toBe(
      'failed: DATABASE_URL leads through a transaction pooler. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    )
    expect((await diagnosisOf(url, pooler.url))['pooler']).toMatch(/^ok/)
  })

  test('a clock that differs', async () => {
    const { db } = await database()
    const { now, stop } = await databaseClock(db)
    onTestFinished(stop)
    expect(await checkClock(db, () => now().getTime())).toMatchObject({ state: 'ok' })
    expect(await checkClock(db, () => now().getTime() + 60_000)).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/^This machine is (5\d\.\d|60\.\d) s ahead of the database\./),
    })
  })
})

test('a full disk', async ({ skip }) => {
  const folder = dataFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(await checkDisk(folder)).toMatchObject({ text: expect.stringContaining('MB are free') })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', folder])
  skip(mounted.status !== 0, 'needs root')
  onTestFinished(() => void spawnSync('umount', [folder]))
  expect(await checkDisk(folder)).toMatchObject({ state: 'failed', text: expect.stringMatching(/^8 MB are free/) })
})
