import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createLogger } from '@switchboard/server/process/log'
import { afterAll, expect, test } from 'vitest'
import { createAiApiClient } from '#apps/admin-api/src/tasks/runs/ai-api.client.ts'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { TEST_SECRET, testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { WORKER_DEFAULTS } from '#apps/worker/src/testing/worker-defaults.ts'
import { createWorker } from '#apps/worker/src/worker.ts'

// admin-api, ai-api and a worker over one database, as in production.
const api = await startTestApi({
  trustProxy: ['127.0.0.1'],
  aiApi: {
    url: 'http://127.0.0.1:1',
    executeTask: (...args) => client.executeTask(...args),
    close: async () => {},
  },
})
const { db, databaseUrl } = api
const now = () => new Date('2026-11-20T09:30:00.000Z')
const emulator = await startMapsEmulator({ now })
const places = createPlacesClient({ url: emulator.url, apiKey: 'any', now })
const aiLogLines: string[] = []
const aiLog = createLogger('info', { write: (line) => void aiLogLines.push(line) })
const worker = await createWorker({ ...WORKER_DEFAULTS, db, directUrl: databaseUrl, log: aiLog, places })
const aiApi = await buildAiApi(testDeps({ db, directUrl: databaseUrl, log: aiLog, queue: worker.queue }))
await worker.start()
const client = createAiApiClient({ url: await aiApi.listen({ port: 0, host: '127.0.0.1' }), secret: TEST_SECRET })
const ada = await api.signIn('ada@example.com')
const tenant = await makeTenant(db)
afterAll(async () => {
  await client.close()
  await Promise.all([aiApi.close(), worker.stop()])
  await places.close()
  await emulator.close()
})

const run = (task_id: string, body: object = {}, headers: Record<string, string> = {}) =>
  ada.call({
    headers,
    method: 'POST',
    url: `/api/v1/admin/tasks/${task_id}/run`,
    body: { task_id, super_admin_id: ada.admin.id, timestamp: new Date().toISOString(), ...body },
  })
/** What people did. The end of a run is an entry of the worker. */
const auditOf = (id: string) =>
  db
    .selectFrom('audit_entries')
    .selectAll()
    .where('target_id', '=', id)
    .where('actor_id', 'is not', null)
    .orderBy('seq')
    .execute()

test('"Run task now" goes to ai-api and back, and is audited with the admin, the address and the request', async () => {
  const task = await makeTask(db, { tenant_id: tenant.id })
  const answer = await run(task.id)
  expect([answer.statusCode, answer.json().result]).toMatchObject([200, { status: 'success', success: true }])
  const reviews = await ada.call({ method: 'GET', url: `/api/v1/admin/tasks/${task.id}/reviews` })
  expect(reviews.json().reviews).toHaveLength(5)
  expect(reviews.json()).toMatchObject({ is_kept: true, place: { business_status: 'OPERATIONAL' } })
  expect(await auditOf(task.id)).toMatchObject([
    {
      action: 'tasks.run',
      outcome: 'done',
      actor_email: 'ada@example.com',
      address: '127.0.0.1',
      request_id: answer.headers['x-request-id'],
    },
  ])
})

test('the request id of a trusted proxy is in the answer, in both logs and in the audit row', async () => {
  const task = await makeTask(db, { tenant_id: tenant.id })
  const answer = await run(task.id, {}, { 'x-request-id': 'gateway-7f3a' })
  expect([answer.statusCode, answer.headers['x-request-id']]).toEqual([200, 'gateway-7f3a'])
  expect(api.logLines.some((line) => line.includes('"req_id":"gateway-7f3a"'))).toBe(true)
  expect(aiLogLines.some((line) => line.includes('"caused_by":"gateway-7f3a"'))).toBe(true)
  expect(await auditOf(task.id)).toMatchObject([{ request_id: 'gateway-7f3a' }])
})

test('a repeated click is refused, and the refusal is audited', async () => {
  const task = await makeTask(db, { tenant_id: tenant.id })
  const timestamp = new Date().toISOString()
  await run(task.id, { timestamp })
  const again = await run(task.id, { timestamp })
  expect([again.statusCode, again.json()]).toMatchObject([409, { detail: 'This run has already been requested.' }])
  expect((await auditOf(task.id)).map(({ outcome }) => outcome)).toEqual(['done', 'refused'])
})

test('a task cannot be run in the name of another admin, nor at the address of another task', async () => {
  const task = await makeTask(db, { tenant_id: tenant.id })
  expect((await run(task.id, { super_admin_id: crypto.randomUUID() })).statusCode).toBe(403)
  expect((await run(task.id, { task_id: crypto.randomUUID() })).statusCode).toBe(422)
  expect((await run(crypto.randomUUID())).statusCode).toBe(404)
  expect(await db.selectFrom('runs').selectAll().where('task_id', '=', task.id).execute()).toEqual([])
})

test('without ai-api the answer is an immediate 502', async () => {
  const task = await makeTask(db, { tenant_id: tenant.id })
  await aiApi.close()
  const answer = await run(task.id)
  expect([answer.statusCode, answer.json().detail]).toEqual([
    502,
    'The AI API cannot be reached. Try again in a moment.',
  ])
})
