import { makeAdmin, makeTenant } from '@switchboard/database/factories'
import { metricsOf } from '@switchboard/server/metrics'
import { describe, expect, test } from 'vitest'
import { startTestAiApi } from '#src/testing/test-ai-api.ts'
import { TEST_SECRET } from '#src/testing/test-deps.ts'
import { isSecret } from './webhooks.service.ts'

const { db, app, emulator, admin, newTask, execute, taskRow, runsOf, reviewsOf, logLines } = await startTestAiApi()
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

test('a run pulls the reviews, notes who asked for it and answers its end', async () => {
  const task = await newTask()
  const answer = await execute(task.id, {}, { 'x-actor-request': 'request-1', 'x-actor-address': '192.0.2.7' })
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
    .selectFrom('audit_log')
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

describe('the secret', () => {
  test.for(['', 'wrong', TEST_SECRET.slice(0, -1), `${TEST_SECRET} `, TEST_SECRET.toUpperCase()])(
    '"%s" is refused before the body is read',
    async (secret) => {
      const task = await newTask()
      const answer = await execute(task.id, { unknown: 'key' }, { 'x-webhook-secret': secret })
      expect([answer.statusCode, answer.json()]).toEqual([401, { detail: 'Not authenticated' }])
      expect(await runsOf(task.id)).toEqual([])
    },
  )

  test('is one of two while it is being changed', () => {
    expect(['new', 'old', 'older', ''].map((given) => isSecret(['new', 'old'], given))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('never stands in the log', () => {
    expect(logLines.length).toBeGreaterThan(0)
    expect(logLines.join('')).not.toContain(TEST_SECRET)
  })
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
    expect([again.statusCode, again.json().detail]).toEqual([409, 'This run has already been asked for.'])
    expect(await runsOf(task.id)).toHaveLength(1)
  })

  test('for a task that is not there', async () => {
    const answer = await execute(crypto.randomUUID())
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Task not found' }])
  })

  test('in the name of nobody, of an inactive super admin and of a tenant admin', async () => {
    const task = await newTask()
    const { id: tenant_id } = await makeTenant(db)
    const ids = [
      crypto.randomUUID(),
      (await makeAdmin(db, { is_active: false })).id,
      (await makeAdmin(db, { role: 'admin', tenant_id })).id,
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

test('the same one ten times at once runs once', async () => {
  const task = await newTask()
  const timestamp = new Date().toISOString()
  const answers = await Promise.all(Array.from({ length: 10 }, () => execute(task.id, { timestamp })))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9)
  expect((await runsOf(task.id)).map(({ outcome }) => outcome)).toEqual(['succeeded'])
})

test('of ten different ones at once one runs and nine are told so', async () => {
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

describe('the answer says', () => {
  test("our own words for Google's refusal", async () => {
    const task = await newTask({ extra_data: { place_id: 'fault_place_obsolete' } })
    const answer = await execute(task.id)
    expect(answer.json().result).toMatchObject({
      status: 'failed',
      success: false,
      execution_status: 'failed',
      message: 'This place id is obsolete. Look it up again.',
    })
  })

  test('that it is tried again', async () => {
    const task = await newTask()
    emulator.script(task.extra_data.place_id, [{ fault: 'unavailable', retry_after: 3_600 }])
    const answer = await execute(task.id)
    expect(answer.json().result).toMatchObject({
      status: 'running',
      success: false,
      execution_status: 'running',
      message: 'Google Maps has a fault at the moment. Try again later. It is tried again by itself.',
    })
  })

  test('that the tenant is inactive', async () => {
    const { id: tenant_id } = await makeTenant(db, { status: 'inactive' })
    const task = await newTask({ tenant_id })
    const answer = await execute(task.id)
    expect(answer.json().result).toMatchObject({ success: false, message: 'The tenant is inactive.' })
    expect(await runsOf(task.id)).toMatchObject([{ outcome: 'skipped', reason: 'tenant_inactive', attempts: 0 }])
  })
})

test('a paused task runs when an admin wants it', async () => {
  const task = await newTask({ is_paused: true })
  expect((await execute(task.id)).json().result.success).toBe(true)
})

test('runs are counted for Prometheus', async () => {
  const body = await metricsOf(app).metrics()
  expect(body).toMatch(/task_runs_total\{outcome="succeeded"\} \d+/)
  expect(body).toMatch(/task_runs_total\{outcome="failed"\} \d+/)
})
