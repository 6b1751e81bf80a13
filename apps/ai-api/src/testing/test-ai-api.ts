import { randomUUID } from 'node:crypto'
import { executeTask } from '@switchboard/contract/runs'
import { makeUser, makeTask, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createLogger } from '@switchboard/server/process/log'
import { afterAll, inject } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { signedHeaders } from './signed-headers.ts'
import { testDeps } from './test-deps.ts'

/** Longer than a pull from the emulator, shorter than its `slow`. */
const TOTAL_MS = 4_000

type Options = { areReviewsKept?: boolean; isStarted?: boolean }

/** The real ai-api with its worker over a database of its own, asking the maps emulator. Ends with the test file. */
export async function startTestAiApi({ areReviewsKept = true, isStarted = true }: Options = {}) {
  const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
  const now = () => new Date('2026-11-20T09:30:00.000Z')
  const emulator = await startMapsEmulator({ now })
  const places = createPlacesClient({ url: emulator.url, apiKey: 'any', now, totalMs: TOTAL_MS })
  const logLines: string[] = []
  const log = createLogger('info', { write: (line) => void logLines.push(line) })
  const deps = testDeps({ db, directUrl: databaseUrl, log, places, areReviewsKept })
  const app = await buildAiApi(deps)
  if (isStarted) await deps.worker.start()
  const admin = await makeUser(db, { email: `${randomUUID()}@example.com` })
  const tenant = await makeTenant(db, { name: 'Harbor Dental' })
  afterAll(async () => {
    await Promise.all([app.close(), deps.worker.stop()])
    await places.close()
    await emulator.close()
    await drop()
  })

  /** A place chosen by the test gets a tenant of its own: a tenant has only a single task per place. */
  const newTask = async (fields: Partial<Parameters<typeof makeTask>[1]> = {}) => {
    const { id: tenant_id } = fields.extra_data === undefined ? tenant : await makeTenant(db)
    return await makeTask(db, { tenant_id, ...fields })
  }
  /** Requests a run as admin-api does, unless `headers` say otherwise. */
  const execute = async (task_id: string, body: object = {}, headers: Record<string, string> = {}) => {
    const payload = JSON.stringify({
      task_id,
      super_admin_id: admin.id,
      timestamp: new Date().toISOString(),
      ...body,
    })
    return await app.inject({
      method: executeTask.method,
      url: executeTask.url,
      headers: { 'content-type': 'application/json', ...signedHeaders(payload), ...headers },
      payload,
    })
  }
  const taskRow = async (id: string) =>
    await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
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

  return { db, databaseUrl, deps, app, emulator, admin, tenant, logLines, newTask, execute, taskRow, runsOf, reviewsOf }
}
