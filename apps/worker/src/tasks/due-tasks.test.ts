import { nextRun } from '@switchboard/contract/tasks/schedule'
import { makeManyTasks, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { enqueueDueTasks } from './due-tasks.service.ts'

// The worker takes no jobs.
const { db, databaseUrl, log, worker, newTask, taskRow, runsOf } = await startTestWorker({ isStarted: false })

const enqueued: string[] = []
const due = {
  ...worker.deps,
  queue: {
    ...worker.queue,
    enqueue: async (_trx: unknown, jobs: { run_id: string }[]) => void enqueued.push(...jobs.map((job) => job.run_id)),
  },
}
const ago = (interval: string) => sql<Date>`now() - ${interval}::interval`
beforeEach(async () => {
  await db.deleteFrom('tasks').execute()
  enqueued.length = 0
})

test('a due task is enqueued once and gets its next time, other tasks do not change', async () => {
  const task = await newTask({ created_at: ago('10 days 1 hour'), next_run: ago('1 hour') })
  const later = await newTask({ next_run: sql<Date>`now() + interval '1 minute'` })
  expect(await enqueueDueTasks(due)).toBe(1)
  expect(await enqueueDueTasks(due)).toBe(0)
  const [run] = await runsOf(task.id)
  expect(run).toMatchObject({ trigger: 'schedule', outcome: 'queued', started_by: null })
  expect(enqueued).toEqual([run?.id])
  const { next_run, ...schedule } = await taskRow(task.id)
  expect(next_run).toBe(nextRun(schedule, run?.created_at ?? ''))
  expect(Date.parse(next_run) - Date.parse(run?.created_at ?? '')).toBeCloseTo(23 * 3_600_000, -5)
  expect((await taskRow(later.id)).next_run).toBe(later.next_run)
})

test('many missed times lead to one run', async () => {
  const task = await newTask({ created_at: ago('400 days'), next_run: ago('399 days') })
  expect(await enqueueDueTasks(due)).toBe(1)
  expect(await enqueueDueTasks(due)).toBe(0)
  expect(await runsOf(task.id)).toHaveLength(1)
})

test('a clock two days ahead in this process makes nothing due', async () => {
  const task = await newTask({ next_run: sql<Date>`now() + interval '1 day'` })
  const ahead = Date.now() + 2 * 86_400_000
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => ahead)
  onTestFinished(() => clock.mockRestore())
  expect(await enqueueDueTasks(due)).toBe(0)
  expect(await runsOf(task.id)).toEqual([])
})

describe('is skipped with the reason', () => {
  test('a paused task', async () => {
    const task = await newTask({ is_paused: true, next_run: ago('1 minute') })
    expect(await enqueueDueTasks(due)).toBe(0)
    expect(await runsOf(task.id)).toMatchObject([
      { outcome: 'skipped', reason: 'task_paused', message: 'The task is paused.', finished_at: expect.any(String) },
    ])
    expect(Date.parse((await taskRow(task.id)).next_run)).toBeGreaterThan(Date.parse(task.next_run))
  })

  test('a task of an inactive tenant', async () => {
    const { id: tenant_id } = await makeTenant(db, { status: 'inactive' })
    const task = await newTask({ tenant_id, next_run: ago('1 minute') })
    expect(await enqueueDueTasks(due)).toBe(0)
    expect(await runsOf(task.id)).toMatchObject([{ outcome: 'skipped', reason: 'tenant_inactive' }])
  })

  test('a task that is still running', async () => {
    const task = await newTask({ created_at: ago('5 days'), next_run: ago('1 day') })
    expect(await enqueueDueTasks(due)).toBe(1)
    await db
      .updateTable('tasks')
      .set({ next_run: ago('1 minute') })
      .where('id', '=', task.id)
      .execute()
    expect(await enqueueDueTasks(due)).toBe(0)
    expect((await runsOf(task.id)).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['skipped', 'already_running'],
      ['queued', null],
    ])
  })
})

test('ten concurrent calls enqueue each of 2,000 due tasks once', async () => {
  await db.deleteFrom('tenants').where('status', '=', 'inactive').execute()
  await makeManyTasks(db, 2_000)
  // Created an hour ago, so that no task becomes due again during the test.
  await db
    .updateTable('tasks')
    .set({ created_at: ago('1 hour'), next_run: ago('1 minute') })
    .execute()
  const counts = await Promise.all(Array.from({ length: 10 }, () => enqueueDueTasks(due)))
  expect(counts.reduce((sum, count) => sum + count)).toBe(2_000)
  expect(new Set(enqueued).size).toBe(2_000)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select task_id from runs group by task_id having count(*) = 1) as once`.execute(db)
  expect(rows).toEqual([{ n: 2_000 }])
})

test('a failure to enqueue changes no task', async () => {
  const task = await newTask({ next_run: ago('1 minute') })
  const broken = {
    ...due,
    queue: { ...due.queue, enqueue: async () => Promise.reject(new Error('no jobs today')) },
  }
  await expect(enqueueDueTasks(broken)).rejects.toThrow('no jobs today')
  expect([await runsOf(task.id), (await taskRow(task.id)).next_run]).toEqual([[], task.next_run])
})

test('processes that start at the same time share one queue', async () => {
  const open = () => openRunQueue({ db, directUrl: databaseUrl, log, isWorker: true })
  const [first, ...others] = await Promise.all([open(), open(), open()])
  const queues = [first, ...others]
  const taken: string[] = []
  await Promise.all(
    queues.map((queue) =>
      queue.work(
        async ({ run_id }) => void taken.push(run_id),
        async () => {},
      ),
    ),
  )
  const ids = Array.from({ length: 30 }, () => crypto.randomUUID())
  await db.transaction().execute((trx) =>
    first.enqueue(
      trx,
      ids.map((run_id) => ({ run_id })),
    ),
  )
  await expect.poll(() => taken.length).toBe(30)
  await Promise.all(queues.map((queue) => queue.stop()))
  expect(taken.toSorted()).toEqual(ids.toSorted())
})
