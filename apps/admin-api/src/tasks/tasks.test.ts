import type { Task } from '@switchboard/contract/tasks'
import { makeReview, makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tasks'
const tenant = await makeTenant(db, { name: 'Harbor Dental' })
const place = { place_id: 'ChIJharbor', place_name: 'Harbor Dental', query: 'Harbor Dental, Austin, United States' }

const create = (fields: object = {}) =>
  actor.call({
    method: 'POST',
    url: `${url}/schedule`,
    body: {
      tenant_id: tenant.id,
      schedule_name: 'pull_google_review',
      frequency: 'monthly',
      extra_data: { ...place, place_id: `ChIJ${crypto.randomUUID()}` },
      ...fields,
    },
  })
const update = (id: string, body: object, headers: Record<string, string> = {}) =>
  actor.call({ method: 'PUT', url: `${url}/${id}`, body, headers })
const get = (path: string) => actor.call({ method: 'GET', url: `${url}/${path}` })
const newTask = (fields: object = {}) => makeTask(db, { tenant_id: tenant.id, ...fields })
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).orderBy('seq').execute()

describe('scheduling a task', () => {
  test('answers the record, with the first run one period from now', async () => {
    const answer = await create({ extra_data: place })
    const task: Task = answer.json()
    expect([answer.statusCode, task]).toEqual([
      201,
      {
        id: expect.any(String),
        tenant_id: tenant.id,
        tenant_name: 'Harbor Dental',
        tenant_status: 'active',
        schedule_name: 'pull_google_review',
        frequency: 'monthly',
        run_time: null,
        time_zone: null,
        extra_data: place,
        last_run: null,
        next_run: '2026-12-20T12:00:00.000Z',
        created_at: '2026-11-20T12:00:00.000Z',
        updated_at: expect.any(String),
        is_paused: false,
        paused_reason: null,
        running_run_id: null,
        waiting_since: null,
        retry_at: null,
        last_outcome: null,
        failures_in_a_row: 0,
        version: 1,
        deleted_at: null,
      },
    ])
    const one = await get(task.id)
    expect([one.headers.etag, one.json()]).toEqual(['"1"', task])
    expect(await auditOf(task.id)).toMatchObject([
      {
        action: 'tasks.create',
        actor_email: 'ada@example.com',
        target_name: 'Harbor Dental',
        changes: { frequency: { before: null, after: 'monthly' }, place_id: { before: null, after: 'ChIJharbor' } },
      },
    ])
  })

  test('counts in its tenant, is uncounted when deleted, and follows the name of its tenant', async () => {
    const own = await makeTenant(db)
    const count = async () =>
      (await db.selectFrom('tenants').select('task_count').where('id', '=', own.id).executeTakeFirstOrThrow())
        .task_count
    const task: Task = (await create({ tenant_id: own.id })).json()
    expect(await count()).toBe(1)
    await actor.call({ method: 'PUT', url: `/api/v1/admin/tenants/${own.id}`, body: { name: 'Renamed' } })
    expect((await get(task.id)).json().tenant_name).toBe('Renamed')
    await actor.call({ method: 'DELETE', url: `${url}/${own.id}/schedule/${task.id}` })
    expect(await count()).toBe(0)
  })

  const refused: [string, object, number][] = [
    ['no such tenant', { tenant_id: crypto.randomUUID() }, 404],
    ['an unknown schedule', { schedule_name: 'rm' }, 422],
    ['an unknown frequency', { frequency: 'hourly' }, 422],
    ['no place', { extra_data: {} }, 422],
    ['a place id that leads elsewhere', { extra_data: { place_id: '../../x' } }, 422],
    ['an unknown key', { is_paused: true }, 422],
    ['an unknown key of the place', { extra_data: { ...place, url: 'http://x' } }, 422],
  ]
  test.for(refused)('with %s is refused', async ([, fields, status]) => {
    expect((await create(fields)).statusCode).toBe(status)
  })
})

describe('changing a task', () => {
  test('pauses and resumes, recomputes the next time and resets the failures', async () => {
    const task = await newTask({
      created_at: new Date('2026-11-01T06:00:00.000Z'),
      next_run: new Date('2026-11-03T06:00:00.000Z'),
      failures_in_a_row: 3,
      is_paused: true,
      paused_reason: 'Paused after 3 failures in a row: …',
    })
    const resumed = await update(task.id, { is_paused: false }, { 'if-match': '"1"' })
    expect([resumed.statusCode, resumed.headers.etag, resumed.json()]).toMatchObject([
      200,
      '"2"',
      { is_paused: false, paused_reason: null, failures_in_a_row: 0, next_run: '2026-11-21T06:00:00.000Z', version: 2 },
    ])
    expect((await update(task.id, { is_paused: true })).json()).toMatchObject({ is_paused: true, paused_reason: null })
    expect((await auditOf(task.id)).map(({ changes }) => changes)).toEqual([
      { is_paused: { before: true, after: false } },
      { is_paused: { before: false, after: true } },
    ])
  })

  test('to another frequency counts from the same beginning', async () => {
    const task = await newTask({
      created_at: new Date('2026-10-31T06:00:00.000Z'),
      next_run: new Date('2026-11-21T06:00:00.000Z'),
    })
    expect((await update(task.id, { frequency: 'monthly' })).json()).toMatchObject({
      frequency: 'monthly',
      next_run: '2026-11-30T06:00:00.000Z',
    })
  })

  test('to another place deletes the pulled reviews; another name alone does not', async () => {
    const task = await newTask({
      extra_data: { ...place, place_id: 'ChIJmoving' },
      last_run: new Date(),
      failures_in_a_row: 2,
    })
    await db
      .updateTable('tasks')
      .set({ are_reviews_kept: true, pulled_place: '{}' })
      .where('id', '=', task.id)
      .execute()
    await makeReview(db, { task_id: task.id })
    const reviews = async () =>
      (await db.selectFrom('reviews').where('task_id', '=', task.id).selectAll().execute()).length
    await update(task.id, { extra_data: { ...place, place_id: 'ChIJmoving', place_name: 'Harbour Dental' } })
    expect(await reviews()).toBe(1)
    const moved = await update(task.id, { extra_data: { place_id: 'ChIJnew' } })
    expect(moved.json()).toMatchObject({ extra_data: { place_id: 'ChIJnew' }, failures_in_a_row: 0 })
    expect(moved.json().extra_data).toEqual({ place_id: 'ChIJnew' })
    expect(await reviews()).toBe(0)
    expect((await get(`${task.id}/reviews`)).json()).toEqual({
      pulled_at: null,
      is_kept: null,
      place: null,
      reviews: [],
    })
  })

  test('without a difference changes nothing and writes no audit row', async () => {
    const task = await newTask({ extra_data: { ...place, place_id: 'ChIJstaying' } })
    const body = {
      is_paused: false,
      frequency: 'daily',
      extra_data: { query: place.query, place_name: place.place_name, place_id: 'ChIJstaying' },
    }
    expect((await update(task.id, body)).json().version).toBe(1)
    expect(await auditOf(task.id)).toEqual([])
  })

  test('with a stale version is refused with the current record and its editor', async () => {
    const task = await newTask()
    await update(task.id, { frequency: 'weekly' })
    const answer = await update(task.id, { frequency: 'monthly' }, { 'if-match': '"1"' })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      412,
      { current: { frequency: 'weekly', version: 2 }, changed_by: 'ada@example.com' },
    ])
  })

  test.for([{ version: 9 }, { last_run: null }, { tenant_id: crypto.randomUUID() }, { frequency: 'hourly' }])(
    'by %o is refused',
    async (body) => {
      expect((await update((await newTask()).id, body)).statusCode).toBe(422)
    },
  )

  test('of an unknown task is 404', async () => {
    expect((await update(crypto.randomUUID(), { is_paused: true })).statusCode).toBe(404)
  })
})

describe('deleting a task', () => {
  const remove = (tenantId: string, id: string) =>
    actor.call({ method: 'DELETE', url: `${url}/${tenantId}/schedule/${id}` })

  test('deletes its runs and reviews, and confirms the deletion', async () => {
    const task = await newTask()
    await makeRun(db, { task_id: task.id })
    await makeReview(db, { task_id: task.id })
    const answer = await remove(tenant.id, task.id)
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, message: 'The task was deleted.' }])
    for (const table of ['runs', 'reviews'] as const)
      expect(await db.selectFrom(table).selectAll().where('task_id', '=', task.id).execute()).toEqual([])
    expect(await auditOf(task.id)).toMatchObject([{ action: 'tasks.delete', outcome: 'done' }])
  })

  test('under another tenant, or under none, deletes nothing', async () => {
    const task = await newTask()
    const other = await makeTenant(db)
    for (const tenantId of [other.id, crypto.randomUUID()]) {
      const answer = await remove(tenantId, task.id)
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Task not found' }])
    }
    expect((await get(task.id)).statusCode).toBe(200)
  })

  test('is deleted with its tenant, whose audit row has the count', async () => {
    const own = await makeTenant(db)
    const task = await newTask({ tenant_id: own.id })
    await actor.call({ method: 'DELETE', url: `/api/v1/admin/tenants/${own.id}` })
    expect((await get(task.id)).statusCode).toBe(404)
    expect(await auditOf(own.id)).toMatchObject([{ changes: { task_count: { before: 1, after: null } } }])
  })
})
