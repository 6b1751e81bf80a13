import { createTask } from '@switchboard/contract/tasks'
import { makeTask, makeTenant } from '@switchboard/testing/factories'
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
const tasksOf = (tenant_id: string) => db.selectFrom('tasks').select('id').where('tenant_id', '=', tenant_id).execute()

test('a tenant has one task per place, and the refusal names the existing task', async () => {
  const tenant = await makeTenant(db, { name: 'Harbor Dental' })
  const { id } = (await create(tenant.id, 'ChIJharbor')).json()
  const again = await create(tenant.id, 'ChIJharbor')
  expect([again.statusCode, again.json()]).toMatchObject([
    409,
    { detail: 'Harbor Dental already has a weekly task for this place.', task_id: id },
  ])
  expect((await create(tenant.id, 'ChIJbranch')).statusCode).toBe(201)
  expect((await create((await makeTenant(db)).id, 'ChIJharbor')).statusCode).toBe(201)
  await ada.call({ method: 'DELETE', url: `${url}/${tenant.id}/schedule/${id}` })
  expect((await create(tenant.id, 'ChIJharbor')).statusCode).toBe(201)
})

test('one of parallel calls creates the task, the others are refused', async () => {
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
  expect([refusal.statusCode, refusal.json()]).toMatchObject([
    409,
    { detail: 'Harbor Dental already has a daily task for this place.', task_id: three.id },
  ])
  const moves = await Promise.all([move(one.id, 'ChIJnew'), move(two.id, 'ChIJnew')])
  expect(moves.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['200', '409'])
  const refused = moves.find(({ statusCode }) => statusCode === 409)
  expect(refused?.json().detail).toMatch(/already has a (daily )?task for this place\.$/)
})
