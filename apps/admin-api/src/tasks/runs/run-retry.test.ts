import type { BulkAnswer } from '@switchboard/contract/wire/bulk'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createLogger } from '@switchboard/server/process/log'
import { makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi({
  queue: { enqueue: (trx, jobs) => queue.enqueue(trx, jobs), workers: () => queue.workers() },
})
const { db } = api
const queue = await openRunQueue({ db, directUrl: api.databaseUrl, log: createLogger('silent'), isWorker: false })
afterAll(() => queue.stop())
const actor = await api.signIn('ada@example.com')
const tenant = await makeTenant(db, { name: 'Harbor Dental' })
const newTask = (fields: object = {}) => makeTask(db, { tenant_id: tenant.id, ...fields })

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const makeFailed = (task_id: string, hours: number, fields: object = {}) =>
  makeRun(db, { task_id, outcome: 'failed', reason: 'timeout', created_at: ago(hours), ...fields })
const retry = async (ids: string[], query = '') => {
  const answer = await actor.call({
    method: 'POST',
    url: `/api/v1/admin/tasks/runs/bulk${query}`,
    body: { action: 'retry', ids },
  })
  const { results }: BulkAnswer = answer.json()
  return results.map(({ outcome, reason }) => [outcome, reason])
}
const unfinished = (task_id: string) =>
  db.selectFrom('runs').selectAll().where('task_id', '=', task_id).where('finished_at', 'is', null).execute()
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).orderBy('seq').execute()

const DONE = ['done', null]
const SINCE = ['skipped', 'The task has run again since.']

describe('a retry', () => {
  test('runs the task of each failed run once, with a job and a row in the audit log', async () => {
    const [one, other] = [await newTask(), await newTask({ is_paused: true })]
    const failures = [await makeFailed(one.id, 1), await makeFailed(one.id, 2), await makeFailed(other.id, 3)]
    expect(await retry(failures.map(({ id }) => id))).toEqual([DONE, SINCE, DONE])
    for (const { id } of [one, other]) {
      const [run] = await unfinished(id)
      expect(run).toMatchObject({ trigger: 'manual', started_by: 'ada@example.com', outcome: 'queued' })
      expect(await db.transaction().execute((trx) => queue.hasJob(trx, run?.id ?? ''))).toBe(true)
      expect(await auditOf(id)).toMatchObject([
        { action: 'tasks.run', outcome: 'done', actor_email: 'ada@example.com', target_type: 'task' },
      ])
    }
  })

  test('sent twice, also after its run has failed, starts one run', async () => {
    const task = await newTask()
    const { id } = await makeFailed(task.id, 1)
    expect(await Promise.all([retry([id]), retry([id])])).toEqual(expect.arrayContaining([[DONE], [SINCE]]))
    await db
      .updateTable('runs')
      .set({ outcome: 'failed', finished_at: new Date() })
      .where('task_id', '=', task.id)
      .where('finished_at', 'is', null)
      .execute()
    expect(await retry([id])).toEqual([SINCE])
    expect(await unfinished(task.id)).toEqual([])
  })

  test.for([
    ['the schedule has failed again since', { outcome: 'failed' }, DONE],
    ['the schedule has skipped the task since', { outcome: 'skipped' }, DONE],
    ['the schedule has succeeded since', { outcome: 'succeeded' }, SINCE],
    ['an admin has started the task since', { outcome: 'failed', trigger: 'manual' }, SINCE],
    ['the task is running', { outcome: 'running', finished_at: null }, SINCE],
  ] as const)('of an older run, when %s', async ([, later, result]) => {
    const task = await newTask()
    const { id } = await makeFailed(task.id, 2)
    await makeRun(db, { task_id: task.id, created_at: ago(1), ...later })
    expect(await retry([id])).toEqual([result])
  })

  test('skips a run that did not fail', async () => {
    const task = await newTask()
    const run = await makeRun(db, { task_id: task.id, created_at: ago(1) })
    expect(await retry([run.id])).toEqual([['skipped', 'Only failed runs are retried.']])
    expect(await auditOf(task.id)).toEqual([])
  })

  test('is refused for an inactive tenant, an unknown run, and a run that no longer matches', async () => {
    const inactive = await makeTenant(db, { status: 'inactive' })
    const task = await newTask({ tenant_id: inactive.id })
    const { id } = await makeFailed(task.id, 1)
    const reason = 'The tenant is inactive, so its tasks are skipped. Activate the tenant first.'
    expect(await retry([id, crypto.randomUUID()])).toEqual([
      ['refused', reason],
      ['refused', 'Run not found'],
    ])
    expect(await auditOf(task.id)).toMatchObject([{ action: 'tasks.run', outcome: 'refused', reason }])
    const other = await makeFailed((await newTask()).id, 1)
    expect(await retry([other.id], '?reason=unavailable')).toEqual([
      ['refused', 'The row has changed and no longer matches the selection.'],
    ])
  })
})
