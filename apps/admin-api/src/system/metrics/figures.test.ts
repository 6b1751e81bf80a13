import { reportCause } from '@switchboard/database/alerts/report-cause'
import { connect } from '@switchboard/database/connection/connect'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { makeRun, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeDelivery, makeWebhook } from '@switchboard/testing/webhook-factory'
import { createMetrics } from '@switchboard/server/process/metrics'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'
import { addFigures } from './figures.service.ts'

const { db, databaseUrl, deps } = await startTestApi()
const tenant = await makeTenant(db)
const actor = { id: null, email: null, address: null, request_id: null }
const ago = (interval: string) => sql<Date>`now() - ${interval}::interval`
const unfinished = { started_at: null, finished_at: null }
beforeEach(() => db.deleteFrom('tasks').execute())

/** Metrics with the figures, read again at each scrape unless `everyMs` is given. */
function figuresOf({ everyMs = 0, ...given }: { everyMs?: number; db?: typeof db } = {}) {
  const metrics = createMetrics({})
  addFigures(metrics, { ...deps, ...given }, everyMs)
  return async (...names: string[]): Promise<number[]> => {
    const text = await metrics.metrics()
    return names.map((name) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      ),
    )
  }
}

test('without records every figure except the size is 0, and the database is writable', async () => {
  const read = figuresOf()
  const names = ['tasks_oldest_due_seconds', 'queue_jobs{queue="runs"}', 'queue_jobs{queue="mails"}', 'audit_log_rows']
  expect(await read(...names)).toEqual([0, 0, 0, 0])
  const ages = ['queue_oldest_seconds{queue="runs"}', 'queue_oldest_seconds{queue="mails"}']
  expect(await read(...ages, 'audit_unsealed_oldest_seconds')).toEqual([0, 0, 0])
  expect(await read('database_writable')).toEqual([1])
  expect((await read('database_size_bytes'))[0]).toBeGreaterThan(1_000_000)
})

test('an unsealed entry of the audit log has its age', async () => {
  await db.transaction().execute(async (trx) => {
    await writeAudit(trx, new Date(Date.now() - 90_000), actor, { action: 'auth.logout' })
  })
  const [age = 0] = await figuresOf()('audit_unsealed_oldest_seconds')
  expect(age).toBeGreaterThanOrEqual(89)
  expect(age).toBeLessThan(120)
})

test('the longest overdue task has its lateness', async () => {
  await makeTask(db, { tenant_id: tenant.id, next_run: ago('90 seconds') })
  const other = await makeTenant(db)
  await makeTask(db, { tenant_id: other.id, next_run: sql<Date>`now() + interval '1 hour'` })
  const [late = 0] = await figuresOf()('tasks_oldest_due_seconds')
  expect(late).toBeGreaterThanOrEqual(90)
  expect(late).toBeLessThan(120)
})

test('a run waits while it is queued, and again from the time of its retry', async () => {
  const newRun = async (fields: Omit<Parameters<typeof makeRun>[1], 'task_id'>) => {
    const { id } = await makeTask(db, { tenant_id: (await makeTenant(db)).id })
    await makeRun(db, { task_id: id, ...unfinished, created_at: ago('10 minutes'), ...fields })
  }
  await newRun({ outcome: 'running' })
  await newRun({ outcome: 'retrying', retry_at: sql<Date>`now() + interval '1 minute'` })
  await newRun({ outcome: 'succeeded', finished_at: ago('9 minutes') })
  const read = figuresOf()
  const names = ['queue_jobs{queue="runs"}', 'queue_oldest_seconds{queue="runs"}']
  expect(await read(...names)).toEqual([0, 0])

  await newRun({ outcome: 'retrying', retry_at: ago('2 minutes') })
  await newRun({ outcome: 'queued', created_at: ago('1 minute') })
  const [jobs, age = 0] = await read(...names)
  expect(jobs).toBe(2)
  expect(age).toBeGreaterThanOrEqual(120)
  expect(age).toBeLessThan(150)
})

test('a mail waits until it is sent or given up', async () => {
  const inviter = await makeUser(db)
  const link = {
    kind: 'invitation',
    role: 'support',
    invited_by: 'ada@example.com',
    invited_by_id: inviter.id,
    expires_at: ago('-1 hour'),
  } as const
  const rows = (['queued', 'sent', 'failed'] as const).map((mail_state) => ({
    ...link,
    email: `${mail_state}@example.com`,
    folded_email: `${mail_state}@example.com`,
    mail_state,
    created_at: ago('3 minutes'),
  }))
  await db.insertInto('links').values(rows).execute()
  const [jobs, age = 0] = await figuresOf()('queue_jobs{queue="mails"}', 'queue_oldest_seconds{queue="mails"}')
  expect(jobs).toBe(1)
  expect(age).toBeGreaterThanOrEqual(180)
  expect(age).toBeLessThan(210)
})

test('the database is read once for all figures, and not again before the time has passed', async () => {
  const statements: string[] = []
  const counted = connect(databaseUrl, { log: ({ query }) => void statements.push(query.sql) })
  afterAll(() => counted.destroy())
  const read = figuresOf({ db: counted, everyMs: 60_000 })
  await Promise.all([read('audit_log_rows'), read('audit_log_rows')])
  await read('audit_log_rows')
  expect(new Set(statements).size).toBe(statements.length)
})

test('each log sink that is on has its lag, and whether it fails', async () => {
  await makeLogSink(db, { kind: 'syslog', name: 'Vault', address: 'logs.example.com:6514' })
  await makeLogSink(db, { kind: 'syslog', name: 'Off', address: 'logs.example.com:6514', is_on: false })
  const problem = { problem: 'Nothing answers at this address.', failing_since: new Date() }
  await makeLogSink(db, { kind: 'otlp', name: 'Grafana', address: 'https://collector.example.com/', ...problem })
  await db
    .transaction()
    .execute((trx) => writeAudit(trx, new Date(Date.now() - 60_000), actor, { action: 'auth.login' }))
  await sealAudit(db)
  const metrics = createMetrics({})
  addFigures(metrics, deps, 0)
  const text = await metrics.metrics()
  const valuesOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}{sink="(\\w+)"} (\\d+)`, 'gm'))].map(([, sink, value]) => [
      sink,
      Number(value),
    ])
  expect(valuesOf('log_sink_failing')).toEqual([
    ['Vault', 0],
    ['Grafana', 1],
  ])
  expect(valuesOf('log_sink_lag_seconds').map(([, seconds]) => Number(seconds) >= 60)).toEqual([true, true])
  await db.deleteFrom('log_sinks').execute()
})

test('open alerts are counted by kind, and given-up mails about alerts and the last look for causes are shown', async () => {
  const read = figuresOf()
  const names = ['alerts_open{kind="chain_broken"}', 'alert_mails_failed', 'alerts_evaluated_timestamp_seconds']
  expect(await read(...names)).toEqual([0, 0, 0])
  await reportCause(db, 'chain_broken', 'The chain breaks at row 2.')
  const mail = { mail_to: 'x@example.com', opened: [], resolved: [], mail_state: 'failed' as const }
  await db
    .insertInto('alert_mails')
    .values([mail, { ...mail, created_at: new Date(Date.now() - 2 * 86_400_000) }])
    .execute()
  await db
    .updateTable('alert_reader')
    .set({ evaluated_at: new Date('2026-11-29T03:00:00Z') })
    .execute()
  expect(await read(...names)).toEqual([1, 1, Date.parse('2026-11-29T03:00:00Z') / 1_000])
})

test('the oldest delivery that waits for a webhook that is on is measured', async () => {
  const { id: webhook_id } = await makeWebhook(db)
  await makeDelivery(db, {
    webhook_id,
    state: 'waiting',
    ended_at: null,
    attempts: 0,
    began_at: null,
    at: new Date(Date.now() - 120_000),
  })
  const oldest = async () => Math.floor(((await figuresOf()('webhook_oldest_delivery_seconds'))[0] ?? 0) / 60)
  expect(await oldest()).toBe(2)
  await db.updateTable('webhooks').set({ is_active: false }).execute()
  expect(await oldest()).toBe(0)
  await db.deleteFrom('webhooks').execute()
})

test('while the database does not answer, it is not writable and the last figures stay', async () => {
  const lost = connect(databaseUrl)
  const read = figuresOf({ db: lost })
  await makeTask(db, { tenant_id: tenant.id, next_run: ago('90 seconds') })
  await read()
  await lost.destroy()
  const [isWritable, late = 0] = await read('database_writable', 'tasks_oldest_due_seconds')
  expect(isWritable).toBe(0)
  expect(late).toBeGreaterThanOrEqual(90)
  expect(await read('tasks_oldest_due_seconds')).toEqual([late])
})

test('a read-only database is not writable', async () => {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  const readOnly = connect(url.toString())
  afterAll(() => readOnly.destroy())
  expect(await figuresOf({ db: readOnly })('database_writable')).toEqual([0])
})
