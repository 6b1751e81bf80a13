import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const ada = await api.signIn('ada@example.com')
const grace = await api.signIn('grace@example.com')
const auditor = await api.signIn('audrey@example.com', 'auditor')

const URL = '/api/v1/admin/list-views'
const VIEW = { list: 'tenants', name: 'Pilots', search: 'tag=pilot&sort=name', is_shared: false, is_default: false }
const save = async (view: object = {}, as = ada) =>
  await as.call({ method: 'POST', url: URL, body: { ...VIEW, ...view } })
const change = async (id: string, body: object, as = ada) => await as.call({ method: 'PUT', url: `${URL}/${id}`, body })
const remove = async (id: string, as = ada) => await as.call({ method: 'DELETE', url: `${URL}/${id}` })
const list = async (as = ada, of = 'tenants') => (await as.call({ method: 'GET', url: `${URL}?list=${of}` })).json()
const lastAudit = () =>
  db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()

test('a view is saved, renamed, replaced and deleted, and each change is audited', async () => {
  const saved = await save({ name: '  Renewals  ' })
  expect([saved.statusCode, saved.json()]).toMatchObject([201, { ...VIEW, name: 'Renewals', is_own: true }])
  const { id } = saved.json()
  expect(await lastAudit()).toMatchObject({
    action: 'list_views.create',
    changes: { name: { before: null, after: 'Renewals' }, search: { before: null, after: VIEW.search } },
  })
  expect((await change(id, { name: 'Renewed', search: 'tag=renewed' })).json()).toMatchObject({
    name: 'Renewed',
    search: 'tag=renewed',
  })
  expect(await lastAudit()).toMatchObject({
    action: 'list_views.update',
    changes: { name: { before: 'Renewals', after: 'Renewed' } },
  })
  expect(await list()).toMatchObject([{ id, name: 'Renewed' }])
  expect(await list(ada, 'users')).toEqual([])
  expect((await remove(id)).statusCode).toBe(204)
  expect(await list()).toEqual([])
  expect(await lastAudit()).toMatchObject({ action: 'list_views.delete' })
  expect((await remove(id)).json()).toMatchObject({ detail: 'View not found' })
})

test('a private view is seen and changed by its owner only', async () => {
  const { id } = (await save({ list: 'users' })).json()
  expect(await list(grace, 'users')).toEqual([])
  expect((await change(id, { name: 'Theirs' }, grace)).statusCode).toBe(404)
  expect((await remove(id, grace)).statusCode).toBe(404)
  expect(await list(ada, 'users')).toMatchObject([{ id, name: 'Pilots' }])
})

test('a shared view is seen by everyone, and changed by those who may edit', async () => {
  const { id } = (await save({ list: 'tasks', is_shared: true })).json()
  expect(await list(auditor, 'tasks')).toMatchObject([{ id, is_own: false, is_shared: true }])
  for (const answer of [
    await change(id, { name: 'Audited' }, auditor),
    await remove(id, auditor),
    await save({ is_shared: true }, auditor),
  ])
    expect([answer.statusCode, answer.json().detail]).toEqual([403, 'Your role does not allow this.'])
  expect((await change(id, { name: 'By Grace' }, grace)).json()).toMatchObject({ name: 'By Grace', is_own: false })
  const own = (await save({ list: 'tasks' }, auditor)).json()
  expect((await change(own.id, { is_shared: true }, auditor)).statusCode).toBe(403)
  expect((await change(own.id, { name: 'Private' }, auditor)).statusCode).toBe(200)
  expect((await remove(id, grace)).statusCode).toBe(204)
})

test('each person has one default view of a list, which others do not see', async () => {
  const shared = (await save({ list: 'runs', is_shared: true, is_default: true })).json()
  const second = (await save({ list: 'runs', name: 'Second', is_default: true })).json()
  const defaultsOf = async (as = ada) =>
    (await list(as, 'runs'))
      .filter(({ is_default }: { is_default: boolean }) => is_default)
      .map(({ id }: { id: string }) => id)
  expect(await defaultsOf()).toEqual([second.id])
  expect(await defaultsOf(auditor)).toEqual([])
  expect((await change(shared.id, { is_default: true }, auditor)).json()).toMatchObject({ is_default: true })
  expect(await defaultsOf(auditor)).toEqual([shared.id])
  expect(await defaultsOf()).toEqual([second.id])
  expect((await change(second.id, { is_default: false })).json()).toMatchObject({ is_default: false })
  expect(await defaultsOf()).toEqual([])
  await remove(shared.id)
  expect(await db.selectFrom('default_list_views').selectAll().execute()).toEqual([])
})

test('an empty name, an unknown list and the 101st view are refused', async () => {
  expect((await save({ name: ' ' })).json().detail[0].msg).toBe('A view needs a name.')
  expect((await save({ list: 'notes' })).statusCode).toBe(422)
  await db
    .insertInto('list_views')
    .values(
      Array.from({ length: 100 }, (_, n) => ({
        owner_id: grace.admin.id,
        list: 'activity' as const,
        name: `View ${n}`,
        search: '',
        is_shared: false,
      })),
    )
    .execute()
  const answer = await save({ list: 'activity' }, grace)
  expect([answer.statusCode, answer.json().detail]).toEqual([409, 'You can save 100 views.'])
})
