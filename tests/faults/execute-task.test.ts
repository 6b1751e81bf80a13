import { makeUser, makeTenant } from '@switchboard/testing/factories'
import { executeTask, TASK_OF_INACTIVE_TENANT } from '@switchboard/contract/runs'
import { afterAll, describe, expect, test } from 'vitest'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { signedHeaders } from '#apps/ai-api/src/testing/signed-headers.ts'
import { TEST_SECRET, testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { startTestWorker } from '#apps/worker/src/testing/test-worker.ts'

// The webhook of ai-api and a worker over one database.
const { db, databaseUrl, log, logLines, worker, emulator, newTask, taskRow, runsOf, reviewsOf } =
  await startTestWorker()
const deps = testDeps({ db, directUrl: databaseUrl, log, queue: worker.queue })
const app = await buildAiApi(deps)
afterAll(() => app.close())
const admin = await makeUser(db, { email: 'ada@example.com' })

/** Requests a run as admin-api does, unless `headers` override the signature. */
const execute = async (task_id: string, body: object = {}, headers: Record<string, string> = {}) => {
  const payload = JSON.stringify({ task_id, super_admin_id: admin.id, timestamp: new Date().toISOString(), ...body })
  return await send(payload, { ...signedHeaders(payload), ...headers })
}
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

test('a run pulls the reviews, records who started it and answers its outcome', async () => {
  const task = await newTask()
  const answer = await execute(task.id, { actor: { request_id: 'request-1', address: '192.0.2.7' } })
  const [run, ...others] = await runsOf(task.id)
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      result: {
        status: 'success',
        success: true,
        execution_status: 'executed',
        message: '5 reviews pulled, 5 new and 0 changed.',
        run_id: run?.id,
      },
    },
  ])
  expect(others).toEqual([])
  expect(run).toMatchObject({
    trigger: 'manual',
    started_by: admin.email,
    outcome: 'succeeded',
    attempts: 1,
    interruptions: 0,
    reviews_returned: 5,
    reviews_new: 5,
    reviews_changed: 0,
  })
  const row = await taskRow(task.id)
  expect(row).toMatchObject({
    last_run: run?.finished_at,
    last_outcome: 'succeeded',
    are_reviews_kept: true,
    version: 1,
  })
  expect(row.pulled_place).toMatchObject({ business_status: 'OPERATIONAL', attributions: expect.any(Array) })
  const reviews = await reviewsOf(task.id)
  expect(reviews.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5])
  expect(reviews.map(({ last_seen_at }) => last_seen_at)).toEqual(Array(5).fill(row.last_run))
  const entry = await db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'actor_id', 'actor_email', 'address', 'request_id', 'target_type'])
    .where('target_id', '=', task.id)
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({
    action: 'tasks.run',
    outcome: 'done',
    actor_id: admin.id,
    actor_email: admin.email,
    address: '192.0.2.7',
    request_id: 'request-1',
    target_type: 'task',
  })
})

/** Sends exactly this body and these headers. */
const send = (payload: string, headers: Record<string, string>, at = app) =>
  at.inject({
    method: 'POST',
    url: executeTask.url,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  })
const bodyOf = (task_id: string) =>
  JSON.stringify({ task_id, super_admin_id: admin.id, timestamp: new Date().toISOString() })

describe('a signature', () => {
  const wrong: [string, (body: string) => Record<string, string>][] = [
    ['that is missing', () => ({})],
    ['that is replaced by the secret itself', () => ({ 'x-webhook-secret': TEST_SECRET })],
    ['under another secret', (body) => signedHeaders(body, { secret: TEST_SECRET.toUpperCase() })],
    ['of another body', (body) => signedHeaders(body.replace('{', '{ '))],
    ['of another id', (body) => ({ ...signedHeaders(body), 'webhook-id': 'msg_1' })],
    ['of another time', (body) => ({ ...signedHeaders(body), 'webhook-timestamp': '1' })],
    ['of another version', (body) => ({ ...signedHeaders(body), 'webhook-signature': 'v2,x' })],
    ['that is empty', (body) => ({ ...signedHeaders(body), 'webhook-signature': '' })],
  ]
  test.for(wrong)('%s is refused', async ([, headersOf]) => {
    const task = await newTask()
    const body = bodyOf(task.id)
    const answer = await send(body, headersOf(body))
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { detail: 'Not authenticated' }])
    expect(await runsOf(task.id)).toEqual([])
  })

  test('is checked before the body is parsed, and without a body too', async () => {
    expect((await send('{', signedHeaders('{ '))).statusCode).toBe(401)
    expect((await app.inject({ method: 'POST', url: executeTask.url })).statusCode).toBe(401)
    expect((await app.inject({ method: 'POST', url: executeTask.url, headers: signedHeaders('') })).statusCode).toBe(
      401,
    )
    expect((await send('{', signedHeaders('{'))).statusCode).toBe(400)
  })

  test('is valid under either of two secrets during a rotation', async () => {
    const other = await buildAiApi({ ...deps, webhookSecrets: ['new'.repeat(11), TEST_SECRET] })
    for (const secret of ['new'.repeat(11), TEST_SECRET]) {
      const body = bodyOf((await newTask()).id)
      expect((await send(body, signedHeaders(body, { secret }), other)).statusCode).toBe(200)
    }
    await other.close()
  })

  test('of a body with one bit flipped is refused', async () => {
    const task = await newTask()
    const body = bodyOf(task.id)
    const headers = signedHeaders(body)
    for (let at = 0; at < body.length; at += 7) {
      const flipped = body.slice(0, at) + String.fromCharCode(body.charCodeAt(at) ^ 1) + body.slice(at + 1)
      expect((await send(flipped, headers)).statusCode).toBe(401)
    }
    expect(await runsOf(task.id)).toEqual([])
  })
})

test('no secret is in the log', () => {
  expect(logLines.length).toBeGreaterThan(0)
  expect(logLines.join('')).not.toContain(TEST_SECRET)
})

describe('a webhook is refused', () => {
  test.for([-5.1, 5.1, -60 * 24 * 365, 60 * 24 * 365])('%s minutes off', async (minutes) => {
    const task = await newTask()
    const answer = await execute(task.id, { timestamp: minutesFromNow(minutes) })
    expect([answer.statusCode, answer.json().detail]).toEqual([
      400,
      'The time sent is more than five minutes off. Check the clock of this computer.',
    ])
    expect(await runsOf(task.id)).toEqual([])
  })

  test.for([-4.9, 4.9])('not when only %s minutes off', async (minutes) => {
    expect((await execute((await newTask()).id, { timestamp: minutesFromNow(minutes) })).statusCode).toBe(200)
  })

  test('the second time', async () => {
    const task = await newTask()
    const timestamp = new Date().toISOString()
    expect((await execute(task.id, { timestamp })).statusCode).toBe(200)
    const again = await execute(task.id, { timestamp })
    expect([again.statusCode, again.json().detail]).toEqual([409, 'This run has already been requested.'])
    expect(await runsOf(task.id)).toHaveLength(1)
  })

  test('signed more than five minutes ago', async () => {
    const body = bodyOf((await newTask()).id)
    const answer = await send(body, signedHeaders(body, { at: new Date(Date.now() - 301_000) }))
    expect([answer.statusCode, answer.json().detail]).toEqual([
      400,
      'The time sent is more than five minutes off. Check the clock of this computer.',
    ])
  })

  test('with a repeated message id', async () => {
    const [first, second] = [await newTask(), await newTask()]
    const id = 'msg_the-same'
    for (const [task, status] of [[first, 200] as const, [second, 409] as const]) {
      const body = bodyOf(task.id)
      expect((await send(body, signedHeaders(body, { id }))).statusCode).toBe(status)
    }
    expect([await runsOf(first.id), await runsOf(second.id)].map(({ length }) => length)).toEqual([1, 0])
  })

  test('for an unknown task', async () => {
    const answer = await execute(crypto.randomUUID())
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Task not found' }])
  })

  test('for an unknown admin, an inactive super admin and a tenant admin', async () => {
    const task = await newTask()
    const { id: tenant_id } = await makeTenant(db)
    const ids = [
      crypto.randomUUID(),
      (await makeUser(db, { is_active: false })).id,
      (await makeUser(db, { role: 'admin', tenant_id })).id,
    ]
    for (const super_admin_id of ids) expect((await execute(task.id, { super_admin_id })).statusCode).toBe(403)
    expect(await runsOf(task.id)).toEqual([])
  })

  test.for([{ task_id: '1' }, { timestamp: 'now' }, { timestamp: '2026-02-30T00:00:00Z' }, { more: 1 }])(
    'with %o',
    async (body) => {
      expect((await execute((await newTask()).id, body)).statusCode).toBe(422)
    },
  )
})

test('ten copies of a webhook at once lead to one run', async () => {
  const task = await newTask()
  const timestamp = new Date().toISOString()
  const answers = await Promise.all(Array.from({ length: 10 }, () => execute(task.id, { timestamp })))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9)
  expect((await runsOf(task.id)).map(({ outcome }) => outcome)).toEqual(['succeeded'])
})

test('of ten webhooks at once for a task, one runs and nine are refused', async () => {
  const task = await newTask()
  emulator.script(task.extra_data.place_id, ['slow'])
  const at = Date.now()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => execute(task.id, { timestamp: new Date(at + n).toISOString() })),
  )
  const refused = answers.filter(({ statusCode }) => statusCode === 409)
  expect(refused.map((answer) => answer.json().detail)).toEqual(Array(9).fill('This task is already running.'))
  expect(await runsOf(task.id)).toHaveLength(1)
})

describe('the answer has', () => {
  test("our own words for Google's refusal", async () => {
    const task = await newTask({ extra_data: { place_id: 'fault_place_obsolete' } })
    const answer = await execute(task.id)
    expect(answer.json().result).toMatchObject({
      status: 'failed',
      success: false,
      execution_status: 'failed',
      message: 'This place ID is no longer valid. Generate it again.',
    })
  })

  test('the coming retry', async () => {
    const task = await newTask()
    emulator.script(task.extra_data.place_id, [{ fault: 'unavailable', retry_after: 3_600 }])
    const answer = await execute(task.id)
    expect(answer.json().result).toMatchObject({
      status: 'running',
      success: false,
      execution_status: 'running',
      message: 'Google Maps has a fault at the moment. Try again later. It is retried automatically.',
    })
  })

  test('the inactive tenant as the reason of a refusal', async () => {
    const { id: tenant_id } = await makeTenant(db, { status: 'inactive' })
    const task = await newTask({ tenant_id })
    const answer = await execute(task.id)
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ detail: TASK_OF_INACTIVE_TENANT })
    expect(await runsOf(task.id)).toEqual([])
  })
})

test('an admin can run a paused task', async () => {
  const task = await newTask({ is_paused: true })
  expect((await execute(task.id)).json().result.success).toBe(true)
})

test('runs are counted for Prometheus', () => {
  const counts = worker.deps.runCounts.totals().map(({ labels, count }) => [labels['outcome'], count > 0])
  expect(counts).toEqual(
    expect.arrayContaining([
      ['succeeded', true],
      ['failed', true],
    ]),
  )
})
