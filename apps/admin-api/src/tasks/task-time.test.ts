import type { Task } from '@switchboard/contract/tasks'
import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, doneTo } = api
const actor = await api.signIn()
const url = '/api/v1/admin/tasks'
const { id: tenant_id } = await makeTenant(db)

const create = (fields: object) =>
  actor.call({
    method: 'POST',
    url: `${url}/schedule`,
    body: {
      tenant_id,
      schedule_name: 'pull_google_review',
      frequency: 'daily',
      extra_data: { place_id: `ChIJ${crypto.randomUUID()}` },
      ...fields,
    },
  })
const update = (id: string, body: object) => actor.call({ method: 'PUT', url: `${url}/${id}`, body })
const BERLIN = { run_time: '14:30', time_zone: 'Europe/Berlin' }

test('a new task runs at its next time of day, in its time zone', async () => {
  const answer = await create(BERLIN)
  const task: Task = answer.json()
  expect([answer.statusCode, task]).toMatchObject([201, { ...BERLIN, next_run: '2026-11-20T13:30:00.000Z' }])
  expect(await db.selectFrom('tasks').select(['run_time', 'time_zone']).where('id', '=', task.id).execute()).toEqual([
    BERLIN,
  ])
  expect(await doneTo(task.id)).toMatchObject([
    { changes: { run_time: { before: null, after: '14:30' }, time_zone: { before: null, after: 'Europe/Berlin' } } },
  ])
  const passed: Task = (await create({ ...BERLIN, run_time: '12:59', frequency: 'weekly' })).json()
  expect(passed.next_run).toBe('2026-11-27T11:59:00.000Z')
})

test('another time, another zone and no time give another next run, and are audited', async () => {
  const task = await makeTask(db, {
    tenant_id,
    created_at: new Date('2026-11-01T06:00:00.000Z'),
    next_run: new Date('2026-11-21T06:00:00.000Z'),
  })
  const changed: [object, string][] = [
    [BERLIN, '2026-11-20T13:30:00.000Z'],
    [{ time_zone: 'Asia/Kolkata' }, '2026-11-21T09:00:00.000Z'],
    [{ run_time: '18:00' }, '2026-11-20T12:30:00.000Z'],
    [{ frequency: 'weekly' }, '2026-11-22T12:30:00.000Z'],
    [{ run_time: null, time_zone: null }, '2026-11-22T06:00:00.000Z'],
  ]
  for (const [body, next_run] of changed) {
    const answer = await update(task.id, body)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { ...body, next_run }])
  }
  expect((await doneTo(task.id)).map(({ changes }) => Object.keys(changes))).toEqual([
    ['run_time', 'time_zone'],
    ['time_zone'],
    ['run_time'],
    ['frequency'],
    ['run_time', 'time_zone'],
  ])
})

test.for([
  [{ run_time: '09:00' }, 'time_zone'],
  [{ time_zone: 'UTC' }, 'run_time'],
  [{ ...BERLIN, run_time: '24:00' }, 'run_time'],
  [{ ...BERLIN, run_time: '9:00' }, 'run_time'],
  [{ ...BERLIN, time_zone: 'Europe/Atlantis' }, 'time_zone'],
  [{ ...BERLIN, time_zone: '+01:00' }, 'time_zone'],
  [{ ...BERLIN, time_zone: '' }, 'time_zone'],
] as const)('%o is refused at its field', async ([fields, field]) => {
  const task = await makeTask(db, { tenant_id })
  for (const answer of [await create(fields), await update(task.id, fields)])
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { detail: [{ loc: ['body', field] }] }])
})

test('a task without a time counts from its creation', async () => {
  expect((await create({})).json()).toMatchObject({
    run_time: null,
    time_zone: null,
    next_run: '2026-11-21T12:00:00.000Z',
  })
})
