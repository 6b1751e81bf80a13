import { readFile } from 'node:fs/promises'
import { createTask } from '@switchboard/contract/tasks'
import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, signIn } = await startTestApi()
const ada = await signIn()
const url = '/api/v1/admin/tasks'

const create = (tenant_id: string, place_id: string) =>
  ada.call({
    method: 'POST',
    url: createTask.url,
    body: { tenant_id, schedule_name: 'pull_google_review', frequency: 'weekly', extra_data: { place_id } },
  })
const move = (id: string, place_id: string) =>
  ada.call({ method: 'PUT', url: `${url}/${id}`, body: { extra_data: { place_id } } })
const tasksOf = (tenant_id: string) =>
  db
    .selectFrom('tasks')
    .select(['id', 'is_old_duplicate'])
    .where('tenant_id', '=', tenant_id)
    .orderBy('created_at')
    .execute()
const ago = (days: number) => sql<Date>`now() - ${days} * interval '1 day'`

test('a tenant has one task per place, and the refusal names the existing task', async () => {
  const tenant = await makeTenant(db, { name: 'Harbor Dental' })
  const { id } = (await create(tenant.id, 'ChIJharbor')).json()
  const again = await create(tenant.id, 'ChIJharbor')
  expect([again.statusCode, again.json()]).toEqual([
    409,
    { detail: 'Harbor Dental already has a weekly task for this place.', task_id: id },
  ])
  expect((await create(tenant.id, 'ChIJbranch')).statusCode).toBe(201)
  expect((await create((await makeTenant(db)).id, 'ChIJharbor')).statusCode).toBe(201)
  await ada.call({ method: 'DELETE', url: `${url}/${tenant.id}/schedule/${id}` })
  expect((await create(tenant.id, 'ChIJharbor')).statusCode).toBe(201)
})

test('of parallel calls one creates the task, the others are refused', async () => {
  const { id } = await makeTenant(db)
  const answers = await Promise.all(Array.from({ length: 6 }, () => create(id, 'ChIJonce')))
  expect(answers.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual([
    '201',
    '409',
    '409',
    '409',
    '409',
    '409',
  ])
  expect(await tasksOf(id)).toHaveLength(1)
})

test('a task does not move to the place of another task, and of two parallel moves one succeeds', async () => {
  const tenant = await makeTenant(db, { name: 'Harbor Dental' })
  const [one, two, three] = [
    await makeTask(db, { tenant_id: tenant.id }),
    await makeTask(db, { tenant_id: tenant.id }),
    await makeTask(db, { tenant_id: tenant.id }),
  ]
  const refusal = await move(one.id, three.extra_data.place_id)
  expect([refusal.statusCode, refusal.json()]).toEqual([
    409,
    { detail: 'Harbor Dental already has a daily task for this place.', task_id: three.id },
  ])
  const moves = await Promise.all([move(one.id, 'ChIJnew'), move(two.id, 'ChIJnew')])
  expect(moves.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['200', '409'])
  const refused = moves.find(({ statusCode }) => statusCode === 409)
  expect(refused?.json().detail).toMatch(/already has a (daily )?task for this place\.$/)
})

test('duplicates from before an upgrade stay as they are, and leave the place to the oldest', async () => {
  const tenant = await makeTenant(db)
  const other = await makeTenant(db)
  const same = { extra_data: { place_id: 'ChIJtwice' } }
  await sql`drop index tasks_once_for_a_place`.execute(db)
  await sql`alter table tasks drop column is_old_duplicate`.execute(db)
  const insert = async (tenant_id: string, days: number) =>
    await sql`
      insert into tasks (tenant_id, schedule_name, frequency, extra_data, created_at, next_run)
      values (${tenant_id}, 'pull_google_review', 'daily', ${JSON.stringify(same.extra_data)}, ${ago(days)}, now() + interval '1 day')`.execute(
      db,
    )
  for (const days of [3, 9, 6]) await insert(tenant.id, days)
  await insert(other.id, 1)
  const file = '../../../../packages/database/src/migrations/0033_tasks_once_for_a_place.sql'
  await sql.raw(await readFile(new URL(file, import.meta.url), 'utf8')).execute(db)

  const tasks = await tasksOf(tenant.id)
  expect(tasks.map(({ is_old_duplicate }) => is_old_duplicate)).toEqual([false, true, true])
  expect((await tasksOf(other.id)).map(({ is_old_duplicate }) => is_old_duplicate)).toEqual([false])

  const ids = tasks.map(({ id }) => id)
  for (const action of ['pause', 'resume']) {
    const bulk = await ada.call({ method: 'POST', url: `${url}/bulk`, body: { action, ids } })
    expect(bulk.json().results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['done', 'done', 'done'])
  }
  const changed = await ada.call({ method: 'PUT', url: `${url}/${ids[1]}`, body: { frequency: 'monthly' } })
  expect(changed.statusCode).toBe(200)
  expect((await create(tenant.id, 'ChIJtwice')).statusCode).toBe(409)

  // A moved duplicate is a task like any other.
  expect((await move(ids[1] ?? '', 'ChIJelsewhere')).statusCode).toBe(200)
  expect((await move(ids[2] ?? '', 'ChIJelsewhere')).statusCode).toBe(409)
  await ada.call({ method: 'POST', url: `${url}/bulk`, body: { action: 'delete', ids: [ids[0]] } })
  expect((await create(tenant.id, 'ChIJtwice')).statusCode).toBe(409)
})
