import { makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn()
const tenant = await makeTenant(db)
const newTask = () => makeTask(db, { tenant_id: tenant.id })
const get = (path: string) => actor.call({ method: 'GET', url: `/api/v1/admin/tasks/${path}` })

describe('the runs of a task', () => {
  test('come newest first, in pages, by id, by outcome, with their time', async () => {
    const task = await newTask()
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute))
    for (let minute = 0; minute < 5; minute += 1) {
      await makeRun(db, {
        task_id: task.id,
        created_at: at(minute),
        started_at: at(minute),
        finished_at: new Date(at(minute).getTime() + 1_234),
        outcome: minute === 2 ? 'failed' : 'succeeded',
        ...(minute === 2 && { reason: 'place_obsolete', message: 'This place ID is no longer valid.' }),
      })
    }
    await makeRun(db, { task_id: (await newTask()).id })
    const first = await get(`${task.id}/runs?limit=3`)
    expect(first.headers).toMatchObject({ 'x-total-count': '5', link: expect.stringContaining('rel="next"') })
    expect(first.json().map((run: { created_at: string }) => run.created_at)).toEqual(
      [4, 3, 2].map((minute) => at(minute).toISOString()),
    )
    const [failed] = (await get(`${task.id}/runs?outcome=failed`)).json()
    expect(failed).toMatchObject({
      reason: 'place_obsolete',
      duration_ms: 1_234,
      trigger: 'schedule',
      reviews_new: null,
    })
    expect((await get(`${task.id}/runs?id=${failed.id}&limit=25`)).json()).toEqual([failed])
    expect((await get(`${task.id}/runs?id=${crypto.randomUUID()}`)).json()).toEqual([])
    expect((await get(`${task.id}/runs`)).json()).toHaveLength(5)
  })

  test('the task names its unfinished run', async () => {
    const task = await newTask()
    const run = await makeRun(db, { task_id: task.id, outcome: 'running', finished_at: null })
    expect((await get(task.id)).json().running_run_id).toBe(run.id)
  })

  test('and the reviews of an unknown task are 404', async () => {
    for (const path of ['runs', 'runs?limit=5', 'reviews'])
      expect((await get(`${crypto.randomUUID()}/${path}`)).statusCode).toBe(404)
  })
})
