import { portalSignInList } from '@switchboard/contract/users/portal-sign-ins'
import { expect, test } from 'vitest'
import { idsOfAllPages } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const ada = await api.signIn()
const url = '/api/v1/admin/portal-sign-ins'
const list = async (query: string) =>
  portalSignInList.list.schema.response[200].parse((await ada.call({ method: 'GET', url: `${url}?${query}` })).json())

const [tenant, other] = [crypto.randomUUID(), crypto.randomUUID()]
const user = crypto.randomUUID()
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))
const done = {
  tenant_id: tenant,
  user_id: user,
  email: 'jo@example.com',
  outcome: 'done' as const,
  address: '192.0.2.1',
}
const refused = { outcome: 'refused' as const, reason: 'Invalid email or password', address: '192.0.2.7' }
await api.db
  .insertInto('portal_sign_ins')
  .values([
    { ...done, at: at(1), request_id: 'first' },
    { ...refused, tenant_id: tenant, email: 'nobody@example.com', at: at(2) },
    { ...refused, tenant_id: tenant, user_id: user, email: 'jo@example.com', at: at(2) },
    { ...done, tenant_id: other, at: at(3) },
    { ...refused, tenant_id: other, at: at(4) },
  ])
  .execute()

test('a tenant has the sign-ins to its portal, newest first', async () => {
  const rows = await list(`tenant_id=${tenant}`)
  expect(rows.map(({ email, outcome }) => `${email} ${outcome}`)).toEqual([
    'jo@example.com refused',
    'nobody@example.com refused',
    'jo@example.com done',
  ])
  expect(rows.at(-1)).toEqual({
    id: expect.any(Number),
    ...done,
    at: '2026-11-20T12:01:00.000Z',
    reason: null,
    request_id: 'first',
  })
})

test('a user has their sign-ins, also the refused ones', async () => {
  const rows = await list(`user_id=${user}&tenant_id=${tenant}`)
  expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'done'])
  expect(await list(`user_id=${user}`)).toHaveLength(3)
})

test.for(['at', '-at'])('the pages by %s have each row once', async (sort) => {
  const get = (path: string) => ada.call({ method: 'GET', url: path })
  const { forwards, backwards } = await idsOfAllPages(get, `${url}?sort=${sort}&limit=2`)
  expect([forwards.length, new Set(forwards).size, backwards]).toEqual([5, 5, forwards])
})

test('an id that is no id is refused', async () => {
  expect((await ada.call({ method: 'GET', url: `${url}?tenant_id=x` })).statusCode).toBe(422)
})
