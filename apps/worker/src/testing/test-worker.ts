import { createTestDatabase } from '@switchboard/testing/test-database'
import { makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import type { Mailer } from '@switchboard/mail/mailer'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { createLogger } from '@switchboard/server/process/log'
import { sql } from 'kysely'
import { afterAll, expect, inject, vi } from 'vitest'
import { createWebhookClient } from '#src/signals/webhooks/webhook.client.ts'
import { createWorker } from '#src/worker.ts'
import { WORKER_DEFAULTS } from './worker-defaults.ts'

/** Longer than an answer of the emulator, shorter than its `slow` fault. */
const TOTAL_MS = 10_000
const FIRST_RETRY_MS = 500

/**
 * Starts a worker with a separate database. The worker calls the maps emulator, and ends with the test file. It does not look
 * for causes of alerts, whose mails and events would come between those of a test.
 */
export async function startTestWorker({
  isStarted = true,
  mailer = null,
}: { isStarted?: boolean; mailer?: Mailer | null } = {}) {
  const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
  const now = () => new Date('2026-11-20T09:30:00.000Z')
  const emulator = await startMapsEmulator({ now })
  const places = createPlacesClient({ url: emulator.url, apiKey: 'any', now, totalMs: TOTAL_MS })
  // Receivers of tests are on this machine. A slow one ends with its test.
  const webhookClient = createWebhookClient({ guard: createAddressGuard(['127.0.0.0/8']), totalMs: 60_000 })
  const logLines: string[] = []
  const log = createLogger('info', { write: (line) => void logLines.push(line) })
  const worker = await createWorker({
    ...WORKER_DEFAULTS,
    db,
    directUrl: databaseUrl,
    log,
    places,
    mailer,
    webhookClient,
    firstRetryMs: FIRST_RETRY_MS,
  })
  if (isStarted) {
    await db
      .updateTable('alert_reader')
      .set({ evaluated_at: sql<Date>`now() + interval '1 day'` })
      .execute()
    await worker.start()
  }
  const tenant = await makeTenant(db, { name: 'Harbor Dental' })
  afterAll(async () => {
    await worker.stop()
    await places.close()
    await webhookClient.close()
    await emulator.close()
    await drop()
  })

  /** A task with a given place belongs to a new tenant, because a tenant has one task per place. */
  const newTask = async (fields: Partial<Parameters<typeof makeTask>[1]> = {}) => {
    const { id: tenant_id } = fields.extra_data === undefined ? tenant : await makeTenant(db)
    return await makeTask(db, { tenant_id, ...fields })
  }
  /** Enqueues a run as the webhook does, or as a due task, and returns it after its first attempt. */
  const runNow = (task_id: string) => runOnce(task_id, 'manual')
  const runScheduled = (task_id: string) => runOnce(task_id, 'schedule')
  const runOnce = async (task_id: string, trigger: 'manual' | 'schedule') => {
    const { id } = await db.transaction().execute(async (trx) => {
      const run = await makeRun(trx, {
        task_id,
        trigger,
        outcome: 'queued',
        attempts: 0,
        started_at: null,
        finished_at: null,
      })
      await worker.queue.enqueue(trx, [{ run_id: run.id, isUrgent: true }])
      return run
    })
    return await vi.waitFor(
      async () => {
        const run = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        expect(['queued', 'running']).not.toContain(run.outcome)
        return run
      },
      { timeout: 60_000, interval: 50 },
    )
  }
  const taskRow = async (id: string) =>
    await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  /** The entries of the audit log about a task, oldest first. */
  const auditOf = async (id: string) =>
    await db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).orderBy('seq').execute()
  /** Newest first. */
  const runsOf = async (task_id: string) =>
    await db
      .selectFrom('runs')
      .selectAll()
      .where('task_id', '=', task_id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute()
  const reviewsOf = async (task_id: string) =>
    await db.selectFrom('reviews').selectAll().where('task_id', '=', task_id).orderBy('rank').execute()

  return {
    db,
    databaseUrl,
    log,
    worker,
    emulator,
    tenant,
    logLines,
    newTask,
    runNow,
    runScheduled,
    auditOf,
    taskRow,
    runsOf,
    reviewsOf,
  }
}
