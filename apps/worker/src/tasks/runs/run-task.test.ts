import { makeReview, makeTask, makeTenant } from '@switchboard/testing/factories'
import type { Fault } from '@switchboard/maps-emulator/faults'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { deleteOldReviews } from '#src/reviews/old-reviews.queries.ts'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { giveUpRun, runTask } from './run-task.job.ts'

const { db, worker, logLines, emulator, newTask, runNow, runScheduled, auditOf, taskRow, runsOf, reviewsOf } =
  await startTestWorker()
const placeOf = (task: Awaited<ReturnType<typeof newTask>>) => task.extra_data.place_id
/** A run without a job, as while a worker runs it. */
const runWithoutJob = async (task_id: string, fields: object = {}) =>
  await db
    .insertInto('runs')
    .values({ task_id, trigger: 'schedule', outcome: 'queued', ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()
const ended = async (task_id: string) =>
  await vi.waitFor(
    async () => {
      const [run] = await runsOf(task_id)
      expect(run?.finished_at).toEqual(expect.any(String))
      return run
    },
    { timeout: 60_000, interval: 100 },
  )

describe('a retryable fault is retried', () => {
  const faults: [Fault, string][] = [
    ['quota_minute', 'quota_minute'],
    ['internal', 'unavailable'],
    ['unavailable', 'unavailable'],
    ['slow', 'timeout'],
    ['huge', 'too_large'],
    ['html', 'unreadable'],
    ['cut_off', 'unreadable'],
    ['wrong_shape', 'unreadable'],
    ['dropped', 'unreachable'],
    ['bad_gateway', 'unavailable'],
  ]
  test.concurrent.for(faults)('%s', async ([fault, reason]) => {
    const task = await newTask()
    emulator.script(placeOf(task), [fault])
    const run = await runWithoutJob(task.id)
    // The worker must not take the retry before the test has seen that it waits.
    await runTask({ ...worker.deps, firstRetryMs: 600_000 }, { run_id: run.id })
    expect(await runsOf(task.id)).toMatchObject([{ outcome: 'retrying', reason, attempts: 1 }])
    await sql`update pgboss.job set start_after = now() where data ->> 'run_id' = ${run.id}`.execute(db)
    expect(await ended(task.id)).toMatchObject({ outcome: 'succeeded', attempts: 2, reason: null, retry_at: null })
    expect(await taskRow(task.id)).toMatchObject({ failures_in_a_row: 0, last_outcome: 'succeeded' })
  })

  test('up to four attempts, and does not count towards the pause', async () => {
    const task = await newTask({ failures_in_a_row: 2 })
    const run = await runWithoutJob(task.id, { attempts: 3 })
    emulator.script(placeOf(task), ['unavailable'])
    await runTask(worker.deps, { run_id: run.id })
    expect(await runsOf(task.id)).toMatchObject([{ outcome: 'failed', reason: 'unavailable', attempts: 4 }])
    expect(await taskRow(task.id)).toMatchObject({ failures_in_a_row: 2, is_paused: false, last_outcome: 'failed' })
  })

  test('no earlier than Google allows', async () => {
    const task = await newTask()
    emulator.script(placeOf(task), [{ fault: 'quota_minute', retry_after: 1_000 }])
    await runNow(task.id)
    const [run] = await runsOf(task.id)
    const waitS = (Date.parse(run?.retry_at ?? '') - Date.parse(run?.created_at ?? '')) / 1_000
    expect(waitS).toBeGreaterThanOrEqual(1_000)
    expect(waitS).toBeLessThan(1_310)
  })

  test('after midnight in California when the quota of the day is used up', async () => {
    const task = await newTask()
    emulator.script(placeOf(task), ['quota_day'])
    await runNow(task.id)
    const [run] = await runsOf(task.id)
    // It is 01:30 in California.
    expect(Date.parse(run?.retry_at ?? '') - Date.parse(run?.created_at ?? '')).toBeGreaterThanOrEqual(22.4 * 3_600_000)
  })
})

describe('a permanent fault ends the run at once', () => {
  const faults: [Fault, string][] = [
    ['place_obsolete', 'place_obsolete'],
    ['key_invalid', 'key_invalid'],
    ['billing_disabled', 'billing_disabled'],
    ['redirect', 'redirected'],
  ]
  test.for(faults)('%s', async ([fault, reason]) => {
    const task = await newTask()
    emulator.script(placeOf(task), [fault])
    expect((await runNow(task.id)).outcome).toBe('failed')
    expect(await runsOf(task.id)).toMatchObject([{ outcome: 'failed', reason, attempts: 1 }])
    const failures_in_a_row = reason === 'place_obsolete' ? 1 : 0
    expect(await taskRow(task.id)).toMatchObject({ failures_in_a_row, is_paused: false, last_run: null })
  })

  test('the third in a row pauses the task with the reason', async () => {
    const task = await newTask({ failures_in_a_row: 2, extra_data: { place_id: 'fault_place_obsolete' } })
    await runNow(task.id)
    const paused_reason = 'Paused after 3 failures in a row: This place ID is no longer valid. Generate it again.'
    expect(await taskRow(task.id)).toMatchObject({ is_paused: true, paused_reason, failures_in_a_row: 3, version: 2 })
    expect(await auditOf(task.id)).toMatchObject([
      { action: 'runs.fail' },
      {
        action: 'tasks.update',
        actor_id: null,
        actor_email: 'task worker',
        target_name: expect.stringMatching(/^fault_…solete for /),
        reason: paused_reason,
      },
    ])
  })

  test('a fault of the platform pauses no task, and the task runs again within a day', async () => {
    const next_run = new Date(Date.now() + 20 * 86_400_000)
    for (const fault of ['key_invalid', 'service_disabled', 'billing_disabled', 'key_address_blocked', 'redirect']) {
      const task = await newTask({ failures_in_a_row: 2, next_run, extra_data: { place_id: `fault_${fault}` } })
      expect((await runNow(task.id)).outcome).toBe('failed')
      const after = await taskRow(task.id)
      expect(after).toMatchObject({ is_paused: false, failures_in_a_row: 2, last_outcome: 'failed', version: 1 })
      const hours = (Date.parse(after.next_run) - Date.now()) / 3_600_000
      expect(hours).toBeGreaterThan(23.9)
      expect(hours).toBeLessThanOrEqual(24)
      const line = logLines.findLast((text) => text.includes('a pull of reviews failed'))
      expect(JSON.parse(line ?? '')).toMatchObject({ level: 'error', reason: expect.stringContaining('HTTP') })
    }
    const sooner = new Date(Date.now() + 3_600_000)
    const task = await newTask({ next_run: sooner, extra_data: { place_id: 'fault_key_invalid' } })
    await runNow(task.id)
    expect((await taskRow(task.id)).next_run).toBe(sooner.toISOString())
  })

  test('a success resets the number of failures', async () => {
    const task = await newTask({ failures_in_a_row: 2 })
    await runNow(task.id)
    expect(await taskRow(task.id)).toMatchObject({ failures_in_a_row: 0 })
  })
})

describe('a run is idempotent', () => {
  test('when it is executed again after its end', async () => {
    const task = await newTask()
    await runNow(task.id)
    const before = [await runsOf(task.id), await taskRow(task.id), await reviewsOf(task.id)]
    await runTask(worker.deps, { run_id: String((await runsOf(task.id))[0]?.id) })
    expect([await runsOf(task.id), await taskRow(task.id), await reviewsOf(task.id)]).toEqual(before)
  })

  test('when several workers execute it at once: the latest attempt wins', async () => {
    const task = await newTask()
    const run = await runWithoutJob(task.id)
    await Promise.all(Array.from({ length: 5 }, () => runTask(worker.deps, { run_id: run.id })))
    const [end] = await runsOf(task.id)
    expect(end).toMatchObject({ outcome: 'succeeded', reviews_new: 5 })
    // An attempt counts the unfinished attempt before it as interrupted.
    expect(end?.attempts).toBe((end?.interruptions ?? 0) + 1)
    expect(await reviewsOf(task.id)).toHaveLength(5)
  })

  test('when a lost worker comes back after another worker has ended the run', async () => {
    const task = await newTask()
    const run = await runWithoutJob(task.id)
    const slow = Promise.withResolvers<void>()
    const isCalled = Promise.withResolvers<void>()
    const { places } = worker.deps
    const lostAttempt = runTask(
      {
        ...worker.deps,
        places: { placeDetails: async (id) => (isCalled.resolve(), await slow.promise, await places.placeDetails(id)) },
      },
      { run_id: run.id },
    )
    await isCalled.promise
    await runTask(worker.deps, { run_id: run.id })
    const before = [await runsOf(task.id), await taskRow(task.id), await reviewsOf(task.id)]
    slow.resolve()
    await lostAttempt
    expect([await runsOf(task.id), await taskRow(task.id), await reviewsOf(task.id)]).toEqual(before)
    expect(before[0]).toMatchObject([{ outcome: 'succeeded', attempts: 2, interruptions: 1 }])
  })

  test('a run that keeps killing its workers is given up, and the task can run again', async () => {
    const task = await newTask()
    const run = await runWithoutJob(task.id, { outcome: 'running', attempts: 6, interruptions: 5 })
    await giveUpRun(worker.deps, { run_id: run.id })
    await giveUpRun(worker.deps, { run_id: run.id })
    expect(await runsOf(task.id)).toMatchObject([{ outcome: 'failed', reason: 'broken_off' }])
    expect((await runNow(task.id)).outcome).toBe('succeeded')
  })

  test('a job without a run does nothing', async () => {
    await runTask(worker.deps, { run_id: crypto.randomUUID() })
  })
})

describe('during a run', () => {
  const during = async (task: Awaited<ReturnType<typeof newTask>>, meanwhile: () => Promise<unknown>) => {
    const run = await runWithoutJob(task.id)
    const { places } = worker.deps
    const placeDetails = async (id: string) => {
      const found = await places.placeDetails(id)
      await meanwhile()
      return found
    }
    await runTask({ ...worker.deps, places: { placeDetails } }, { run_id: run.id })
  }

  test('the tenant can be deleted, and no rows are left', async () => {
    const { id: tenant_id } = await db
      .insertInto('tenants')
      .values({ name: 'Gone', subdomain: `gone-${crypto.randomUUID()}`, tenant_type: 'product' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const task = await newTask({ tenant_id })
    await during(task, () => db.deleteFrom('tenants').where('id', '=', tenant_id).execute())
    expect([await runsOf(task.id), await reviewsOf(task.id)]).toEqual([[], []])
  })

  test('the place can be changed, and the reviews of the old place are not stored', async () => {
    const task = await newTask()
    const extra_data = JSON.stringify({ place_id: 'ChIJother' })
    await during(task, () => db.updateTable('tasks').set({ extra_data }).where('id', '=', task.id).execute())
    expect(await runsOf(task.id)).toMatchObject([{ outcome: 'skipped', reason: 'place_changed' }])
    expect([await reviewsOf(task.id), (await taskRow(task.id)).last_run]).toEqual([[], null])
  })
})

describe('reviews', () => {
  test('count as new or changed only when they are', async () => {
    const task = await newTask()
    await runNow(task.id)
    const [first, second, third] = await reviewsOf(task.id)
    const old = sql<Date>`now() - interval '3 days'`
    await db
      .updateTable('reviews')
      .set({ first_seen_at: old, last_seen_at: old, last_changed_at: old })
      .where('task_id', '=', task.id)
      .execute()
    await db.updateTable('reviews').set({ text: 'Otherwise' }).where('name', '=', String(first?.name)).execute()
    await db.updateTable('reviews').set({ author_uri: 'x:' }).where('name', '=', String(second?.name)).execute()
    await db.deleteFrom('reviews').where('name', '=', String(third?.name)).execute()
    await runNow(task.id)
    const [run] = await runsOf(task.id)
    expect(run).toMatchObject({ reviews_returned: 5, reviews_new: 1, reviews_changed: 1 })
    const [firstNow, secondNow, thirdNow] = await reviewsOf(task.id)
    const { last_run } = await taskRow(task.id)
    expect(firstNow).toMatchObject({ text: first?.text, last_changed_at: last_run, last_seen_at: last_run })
    expect(firstNow?.first_seen_at).not.toBe(last_run)
    expect(secondNow).toMatchObject({ author_uri: second?.author_uri })
    expect(secondNow?.last_changed_at).not.toBe(last_run)
    expect(thirdNow).toMatchObject({ first_seen_at: last_run })
  })

  test('are deleted thirty days after they were last seen', async () => {
    const task = await newTask()
    const seen = (days: number) => ({ last_seen_at: sql<Date>`now() - make_interval(days => ${days}, secs => 5)` })
    await makeReview(db, { task_id: task.id, name: 'kept', ...seen(29) })
    await makeReview(db, { task_id: task.id, name: 'gone', ...seen(30) })
    await deleteOldReviews(db)
    expect((await reviewsOf(task.id)).map(({ name }) => name)).toEqual(['kept'])
  })

  test('are only counted when they are not kept, and stored ones are deleted', async () => {
    const task = await newTask()
    await runNow(task.id)
    const run = await runWithoutJob(task.id)
    await runTask({ ...worker.deps, areReviewsKept: false }, { run_id: run.id })
    expect((await runsOf(task.id)).find(({ id }) => id === run.id)).toMatchObject({
      outcome: 'succeeded',
      reviews_returned: 5,
      reviews_new: null,
      reviews_changed: null,
    })
    expect(await reviewsOf(task.id)).toEqual([])
    expect(await taskRow(task.id)).toMatchObject({ pulled_place: null, are_reviews_kept: false })
  })
})

describe('the audit log tells of the end of a run', () => {
  const entry = { actor_id: null, actor_email: 'task worker', outcome: 'done', target_type: 'task' }

  test('that failed, with its reason', async () => {
    const task = await newTask({ extra_data: { place_id: 'fault_place_obsolete' } })
    const { id, message } = await runScheduled(task.id)
    expect(await auditOf(task.id)).toMatchObject([
      {
        ...entry,
        action: 'runs.fail',
        reason: message,
        tenant_id: task.tenant_id,
        changes: {
          run_id: { before: null, after: id },
          trigger: { before: null, after: 'schedule' },
          attempts: { before: null, after: 1 },
          reason: { before: null, after: 'place_obsolete' },
        },
      },
    ])
  })

  test('that a person had started, and was skipped or succeeded', async () => {
    const task = await newTask()
    const { id } = await runNow(task.id)
    expect(await auditOf(task.id)).toMatchObject([
      { ...entry, action: 'runs.succeed', changes: { run_id: { after: id }, reviews_new: { after: 5 } } },
    ])
    const suspended = await makeTenant(db, { status: 'inactive' })
    const skipped = await makeTask(db, { tenant_id: suspended.id })
    await runNow(skipped.id)
    expect(await auditOf(skipped.id)).toMatchObject([
      { ...entry, action: 'runs.skip', reason: 'The tenant is inactive.' },
    ])
  })

  test('that succeeds after a failure, but of no other scheduled success', async () => {
    const task = await newTask({ last_outcome: 'failed' })
    await runScheduled(task.id)
    await runScheduled(task.id)
    expect(await auditOf(task.id)).toMatchObject([{ ...entry, action: 'runs.succeed' }])
  })
})
