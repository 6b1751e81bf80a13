import { makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const ada = await api.signIn('ada@example.com')
const grace = await api.signIn('grace@example.com')

const urlOf = (tenant: string) => `/api/v1/admin/tenants/${tenant}/notes`
const add = async (tenant: string, text: string, as = ada) =>
  await as.call({ method: 'POST', url: urlOf(tenant), body: { text } })
const list = async (tenant: string) => (await ada.call({ method: 'GET', url: urlOf(tenant) })).json()
const lastAudit = () =>
  db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()

test('a note is added, changed and removed by its author, and each change is audited', async () => {
  const { id } = await makeTenant(db, { name: 'Harbor' })
  const added = await add(id, '  Renews in March.  ')
  expect([added.statusCode, added.json()]).toMatchObject([
    201,
    { text: 'Renews in March.', author_email: 'ada@example.com', created_at: clock.at.toISOString(), edited_at: null },
  ])
  expect(await lastAudit()).toMatchObject({
    action: 'notes.create',
    target_type: 'tenant',
    target_name: 'Harbor',
    tenant_id: id,
    changes: { note: { before: null, after: 'Renews in March.' } },
  })
  const url = `${urlOf(id)}/${added.json().id}`
  const changed = await ada.call({ method: 'PUT', url, body: { text: 'Renews in May.' } })
  expect(changed.json()).toMatchObject({ text: 'Renews in May.', edited_at: clock.at.toISOString() })
  expect(await list(id)).toEqual([changed.json()])
  expect((await ada.call({ method: 'DELETE', url })).statusCode).toBe(204)
  expect(await list(id)).toEqual([])
  expect(await lastAudit()).toMatchObject({
    action: 'notes.delete',
    changes: { note: { before: 'Renews in May.', after: null } },
  })
  expect((await ada.call({ method: 'DELETE', url })).json()).toMatchObject({ detail: 'Note not found' })
})

test('the note of another admin is neither changed nor removed', async () => {
  const { id } = await makeTenant(db)
  const note = (await add(id, 'By Grace', grace)).json()
  const url = `${urlOf(id)}/${note.id}`
  for (const answer of [
    await ada.call({ method: 'PUT', url, body: { text: 'By Ada' } }),
    await ada.call({ method: 'DELETE', url }),
  ])
    expect([answer.statusCode, answer.json().detail]).toEqual([403, 'Only the author can change or remove a note.'])
  expect(await list(id)).toEqual([note])
})

test('a note is found under its own tenant only', async () => {
  const [one, other] = [await makeTenant(db), await makeTenant(db)]
  const note = (await add(one.id, 'Mine')).json()
  const answer = await ada.call({ method: 'DELETE', url: `${urlOf(other.id)}/${note.id}` })
  expect([answer.statusCode, answer.json().detail]).toEqual([404, 'Note not found'])
  expect((await add(crypto.randomUUID(), 'x')).json()).toMatchObject({ detail: 'Tenant not found' })
  expect(await list(crypto.randomUUID())).toMatchObject({ detail: 'Tenant not found' })
})

test('an empty and a long text are refused, and the 201st note', async () => {
  const { id } = await makeTenant(db)
  expect((await add(id, ' \n ')).json().detail[0].msg).toBe('A note needs text.')
  expect((await add(id, 'x'.repeat(2_001))).statusCode).toBe(422)
  const note = { tenant_id: id, author_id: ada.admin.id, author_email: 'ada@example.com' }
  await db
    .insertInto('tenant_notes')
    .values(Array.from({ length: 200 }, (_, n) => ({ ...note, text: `Note ${n}` })))
    .execute()
  const answer = await add(id, 'One more')
  expect([answer.statusCode, answer.json().detail]).toEqual([409, 'A tenant can have 200 notes.'])
})

test('the palette finds notes by their text, and a deleted tenant takes its notes along', async () => {
  const { id, name } = await makeTenant(db)
  await add(id, 'Asked for a Discount at renewal')
  const find = async () =>
    (await ada.call({ method: 'POST', url: '/api/v1/admin/search', body: { q: 'a discount' } })).json()
  expect(await find()).toMatchObject({ notes: [{ tenant_id: id, tenant_name: name }], counts: { notes: '1' } })
  await ada.call({ method: 'DELETE', url: `/api/v1/admin/tenants/${id}` })
  expect((await find()).notes).toEqual([])
})
