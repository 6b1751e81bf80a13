import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { startTestAiApi } from '#src/testing/test-ai-api.ts'
import { testDeps } from '#src/testing/test-deps.ts'
import { endLostRuns } from './lost-runs.service.ts'

const { db, deps, newTask, execute, runsOf, taskRow } = await startTestAiApi()
const { deps: worker } = deps.worker
const ago = (minutes: number) => sql<Date>`now() - ${minutes} * interval '1 minute'`
const HOUR_MS = 3_600_000

/** An unfinished run with a job due in an hour. */
async function waitingRun(task_id: string, fields: object = {}): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('runs')
      .values({ task_id, trigger: 'schedule', outcome: 'queued', created_at: ago(5), ...fields })
      .returning('id')
      .executeTakeFirstOrThrow()
    await worker.jobs.enqueue(trx, [{ run_id: id, delayMs: HOUR_MS }])
    return id
  })
}

const loseJob = async (runId: string) =>
  await sql`delete from pgboss.job where data ->> 'run_id' = ${runId}`.execute(db)

test('a run whose job is gone is ended once, by one of several workers, and its task runs again', async () => {
  const task = await newTask({ frequency: 'monthly', next_run: sql<Date>`now() + interval '20 days'` })
  const run = await waitingRun(task.id)
  expect(await endLostRuns(worker)).toBe(0)
  expect((await execute(task.id)).statusCode).toBe(409)

  await loseJob(run)
  const ended = await Promise.all([endLostRuns(worker), endLostRuns(worker), endLostRuns(worker)])
  expect(ended.toSorted()).toEqual([0, 0, 1])
  expect(await runsOf(task.id)).toMatchObject([
    {
      outcome: 'failed',
      reason: 'job_lost',
      message: 'The job of this run is no longer in the database, so the run was ended. The task can run again.',
      finished_at: expect.any(String),
    },
  ])
  const { last_outcome, failures_in_a_row, next_run } = await taskRow(task.id)
  expect({ last_outcome, failures_in_a_row }).toEqual({ last_outcome: 'failed', failures_in_a_row: 0 })
  expect(Date.parse(next_run) - Date.now()).toBeLessThan(24 * HOUR_MS + 60_000)

  expect((await execute(task.id)).json()).toMatchObject({ result: { status: 'success' } })
  expect(await endLostRuns(worker)).toBe(0)
})

test('runs in hand and runs that are to be tried again are ended too, whatever their number', async () => {
  const begun = { outcome: 'running', attempts: 1, started_at: ago(4) }
  const late = { outcome: 'retrying', attempts: 1, started_at: ago(4), retry_at: ago(3) }
  const runs: string[] = []
  for (let n = 0; n < 45; n += 1) runs.push(await waitingRun((await newTask()).id, [{}, begun, late][n % 3]))
  for (const run of runs) await loseJob(run)
  expect(await endLostRuns(worker)).toBe(45)
})

test('a run is left alone that has just begun or whose next attempt is still to come', async () => {
  const runs = [
    await waitingRun((await newTask()).id, { created_at: ago(1) }),
    await waitingRun((await newTask()).id, {
      outcome: 'retrying',
      attempts: 1,
      started_at: ago(4),
      retry_at: sql<Date>`now() + interval '1 minute'`,
    }),
  ]
  for (const run of runs) await loseJob(run)
  expect(await endLostRuns(worker)).toBe(0)
})

test('a worker that starts over a database restored without the jobs ends the runs that wait for them', async () => {
  const { db: restored, url, drop } = await createTestDatabase(inject('postgresUrl'))
  const first = testDeps({ db: restored, directUrl: url }).worker
  await first.start()
  await first.stop()
  const { id: tenant_id } = await makeTenant(restored)
  const task = await makeTask(restored, { tenant_id })
  await restored
    .insertInto('runs')
    .values({ task_id: task.id, trigger: 'schedule', outcome: 'queued', created_at: ago(5) })
    .execute()
  await sql`drop schema pgboss cascade`.execute(restored)

  const second = testDeps({ db: restored, directUrl: url }).worker
  onTestFinished(async () => {
    await second.stop()
    await drop()
  })
  await second.start()
  await vi.waitFor(
    async () =>
      expect(await restored.selectFrom('runs').select(['outcome', 'reason']).execute()).toEqual([
        { outcome: 'failed', reason: 'job_lost' },
      ]),
    { timeout: 15_000, interval: 100 },
  )
})
