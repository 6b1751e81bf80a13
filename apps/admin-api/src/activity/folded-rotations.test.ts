import type { AuditRow } from '@switchboard/contract/activity'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { idsOfAllPages } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const ada = await api.signIn('ada@example.com')
const bob = await api.signIn('bob@example.com')
const url = '/api/v1/admin/audit'
const get = async (address: string) => await ada.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${url}?limit=200&${query}`)
const actions = async (query: string) => {
  const answer = await list(query)
  const rows: AuditRow[] = answer.json()
  expect(answer.headers['x-total-count']).toBe(String(rows.length))
  return rows.map(({ action, changed }) => ('rotated_from' in changed ? 'new key' : action))
}

const { id: tenant_id } = await makeTenant(api.db)
const rotate = async (admin: typeof ada, id: string) =>
  await admin.call({
    method: 'POST',
    url: `/api/v1/admin/api-keys/${id}/rotate`,
    body: { grace_seconds: 900 },
  })
const key = await makeApiKey(api.db, { tenant_id, name: 'Turned' })
const successor = (await rotate(ada, key.id)).json()
await ada.call({ method: 'PATCH', url: `/api/v1/admin/api-keys/${successor.id}/toggle` })
const other = await makeApiKey(api.db, { tenant_id: (await makeTenant(api.db)).id })
await rotate(bob, other.id)
// A refused rotation has one row.
await rotate(bob, other.id)

test('folded, a rotation is the row of the old key, in the list and in its total', async () => {
  expect(await actions('fold=true')).toEqual([
    'api_keys.rotate',
    'api_keys.rotate',
    'api_keys.toggle',
    'api_keys.rotate',
    'auth.login',
    'auth.login',
  ])
  expect(await actions('')).toHaveLength(8)
})

test.for([
  [`tenant_id=${tenant_id}`, ['api_keys.toggle', 'api_keys.rotate']],
  [`actor=${bob.admin.id}`, ['api_keys.rotate', 'api_keys.rotate', 'auth.login']],
  ['action=api_keys.rotate', ['api_keys.rotate', 'api_keys.rotate', 'api_keys.rotate']],
  ['action=api_keys.toggle', ['api_keys.toggle']],
  ['target_type=api_key&outcome=done', ['api_keys.rotate', 'api_keys.toggle', 'api_keys.rotate']],
  ['outcome=refused', ['api_keys.rotate']],
  ['q=turned', ['api_keys.toggle', 'api_keys.rotate']],
  ['to=2020-01-01', []],
  ['from=2020-01-01&action=api_keys.rotate', ['api_keys.rotate', 'api_keys.rotate', 'api_keys.rotate']],
  ['outcome=done', ['api_keys.rotate', 'api_keys.toggle', 'api_keys.rotate', 'auth.login', 'auth.login']],
  [`actor=${ada.admin.id}&target_type=api_key`, ['api_keys.toggle', 'api_keys.rotate']],
  [`actor=${bob.admin.id}&tenant_id=${tenant_id}`, []],
  [`actor=${bob.admin.id}&action=auth.login`, ['auth.login']],
  [`tenant_id=${tenant_id}&action=api_keys.rotate&outcome=done`, ['api_keys.rotate']],
  ['actor=stranger@example.com', []],
  ['target_type=tenant', []],
] as const)('with the filter %s too', async ([query, expected]) => {
  expect(await actions(`fold=true&${query}`)).toEqual(expected)
})

test('the history of each key has its row of the rotation', async () => {
  expect(await actions(`target_type=api_key&target_id=${key.id}`)).toEqual(['api_keys.rotate'])
  expect(await actions(`target_type=api_key&target_id=${successor.id}`)).toEqual(['api_keys.toggle', 'new key'])
})

test('the pages have every folded row once, with the right total', async () => {
  const whole: AuditRow[] = (await list('fold=true')).json()
  const { forwards, backwards } = await idsOfAllPages(get, `${url}?limit=2&fold=true`, 'seq')
  expect(forwards).toEqual(whole.map(({ seq }) => seq))
  expect(backwards).toEqual(forwards)
})

test('a CSV file without the filter has both rows, and the chain holds with both', async () => {
  const rowsOf = async (query: string) => {
    const file = await ada.call({ method: 'POST', url: `${url}/export?action=api_keys.rotate&${query}` })
    return parse<Record<string, string>>(file.rawPayload, { columns: true, bom: true })
  }
  expect(await rowsOf('')).toHaveLength(5)
  expect(await rowsOf('fold=true')).toHaveLength(3)
  expect(await verifyAuditChain(api.db)).toMatchObject({ state: 'holds' })
})
