import type { Task } from '@switchboard/contract/tasks'
import { TASK_STATES, taskState, type TaskState } from '@switchboard/contract/tasks/task-state'
import { makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn()
const url = '/api/v1/admin/tasks'
const minutes = (count: number) => new Date(Date.now() + count * 60_000)
const get = async (path: string) => await admin.call({ method: 'GET', url: `${url}${path}` })
const stateOf = (task: Task) => taskState(task, { status: task.tenant_status }, Date.now())

const RUNS = [
  null,
  { outcome: 'running' },
  { outcome: 'queued' },
  { outcome: 'queued', created_at: minutes(-11) },
  { outcome: 'retrying', retry_at: minutes(5) },
] as const

describe('all combinations of tenant, pause, outcome, next time and run', () => {
  let tasks: Task[] = []

  beforeAll(async () => {
    const tenants = [await makeTenant(db), await makeTenant(db, { status: 'inactive' })]
    for (const { id: tenant_id } of tenants)
      for (const is_paused of [false, true])
        for (const last_outcome of [null, 'succeeded', 'failed'] as const)
          for (const next_run of [minutes(60), minutes(-5), minutes(-11)])
            for (const run of RUNS) {
              const { id } = await makeTask(db, { tenant_id, is_paused, last_outcome, next_run })
              if (run !== null) await makeRun(db, { task_id: id, finished_at: null, ...run })
            }
    tasks = (await get('')).json()
  })

  test('have the same state by the rule and in SQL', async () => {
    const file = await admin.call({ method: 'POST', url: `${url}/export` })
    const records: { id: string; state: string }[] = parse(file.payload, { columns: true, bom: true })
    expect(new Map(records.map(({ id, state }) => [id, state]))).toEqual(
      new Map(tasks.map((task) => [task.id, stateOf(task)])),
    )
    expect(new Set(records.map(({ state }) => state))).toEqual(new Set(TASK_STATES))
  })

  test.for(TASK_STATES)('are found by the filter %s, and counted', async (state) => {
    const expected = tasks.filter((task) => stateOf(task) === state).map(({ id }) => id)
    const page = await get(`?limit=200&state=${state}`)
    expect(
      page
        .json()
        .map(({ id }: Task) => id)
        .toSorted(),
    ).toEqual(expected.toSorted())
    expect(page.headers['x-total-count']).toBe(String(expected.length))
  })

  test('are counted by the dashboard like by the list', async () => {
    const attention = (await admin.call({ method: 'GET', url: '/api/v1/admin/analytics/attention' })).json()
    const count = (state: TaskState) => tasks.filter((task) => stateOf(task) === state).length
    expect([attention.tasks_late.count, attention.tasks_failing.count, attention.tasks_paused.count]).toEqual([
      count('late'),
      count('failing'),
      count('paused'),
    ])
  })
})

test('a task follows its tenant, from its creation on', async () => {
  const tenant = await makeTenant(db)
  const { id } = await makeTask(db, { tenant_id: tenant.id })
  const state = async () => stateOf((await get(`/${id}`)).json())
  const setStatus = async (status: string) =>
    await admin.call({ method: 'PUT', url: `/api/v1/admin/tenants/${tenant.id}`, body: { status } })
  expect(await state()).toBe('on_schedule')
  await setStatus('inactive')
  expect(await state()).toBe('tenant_inactive')
  const later = await makeTask(db, { tenant_id: tenant.id })
  expect(stateOf((await get(`/${later.id}`)).json())).toBe('tenant_inactive')
  await setStatus('active')
  expect(await state()).toBe('on_schedule')
})
