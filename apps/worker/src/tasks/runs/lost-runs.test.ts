import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '@switchboard/server/process/log'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { createWorker } from '#src/worker.ts'
import { endLostRuns } from './lost-runs.service.ts'

const { db, worker, newTask, runNow, runsOf, taskRow } = await startTestWorker()
const { deps } = worker
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
    await worker.queue.enqueue(trx, [{ run_id: id, delayMs: HOUR_MS }])
    return id
  })
}

const loseJob = async (runId: string) =>
  await sql`delete from pgboss.job where data ->> 'run_id' = ${runId}`.execute(db)

test('one of several workers ends a run without a job, and its task can run again', async () => {
  const task = await newTask({ frequency: 'monthly', next_run: sql<Date>`now() + interval '20 days'` })
  const run = await waitingRun(task.id)
  expect(await endLostRuns(deps)).toBe(0)
  await expect(runNow(task.id)).rejects.toThrow('runs_one_at_a_time')

  await loseJob(run)
  const ended = await Promise.all([endLostRuns(deps), endLostRuns(deps), endLostRuns(deps)])
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

  expect(await runNow(task.id)).toMatchObject({ outcome: 'succeeded' })
  expect(await endLostRuns(deps)).toBe(0)
})

test('running and retrying runs without a job are ended too, in any number', async () => {
  const begun = { outcome: 'running', attempts: 1, started_at: ago(4) }
  const late = { outcome: 'retrying', attempts: 1, started_at: ago(4), retry_at: ago(3) }
  const runs: string[] = []
  for (let n = 0; n < 45; n += 1) runs.push(await waitingRun((await newTask()).id, [{}, begun, late][n % 3]))
  for (const run of runs) await loseJob(run)
  expect(await endLostRuns(deps)).toBe(45)
})

test('a new run and a run with a later retry are not ended', async () => {
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
  expect(await endLostRuns(deps)).toBe(0)
})

test('a worker on a database restored without its jobs ends the unfinished runs', async () => {
  const { db: restored, url, drop } = await createTestDatabase(inject('postgresUrl'))
  const options = { ...deps, db: restored, directUrl: url, log: createLogger('silent') }
  const first = await createWorker(options)
  await first.start()
  await first.stop()
  const { id: tenant_id } = await makeTenant(restored)
  const task = await makeTask(restored, { tenant_id })
  await restored
    .insertInto('runs')
    .values({ task_id: task.id, trigger: 'schedule', outcome: 'queued', created_at: ago(5) })
    .execute()
  await sql`drop schema pgboss cascade`.execute(restored)

  const second = await createWorker(options)
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
    { timeout: 60_000, interval: 100 },
  )
})
