import type { User } from '@switchboard/contract/users'
import { makeUser, makeManyUsers, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { idsOfAllPages } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('root@example.com')
const url = '/api/v1/admin/tenant-admins'
await makeManyTenants(db, 30)
await makeManyUsers(db, 600)
const zebra = await makeTenant(db, { name: 'Zebra crossing 100%', subdomain: 'zc-1' })
await makeUser(db, { email: 'Zoe_o.neil@Example.com', role: 'user', tenant_id: zebra.id, is_active: false })

const get = async (address: string) => await admin.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${url}?${query}`)
const emails = (answer: { json: () => User[] }) => answer.json().map((one) => one.email)

test('without parameters the whole list comes, newest first, including the super admins', async () => {
  const rows: User[] = (await admin.call({ method: 'GET', url })).json()
  expect(rows).toHaveLength(602)
  expect(rows.map((one) => one.created_at)).toEqual(
    rows
      .map((one) => one.created_at)
      .toSorted()
      .toReversed(),
  )
  expect(rows.find((one) => one.email === 'root@example.com')).toEqual({
    id: admin.admin.id,
    email: 'root@example.com',
    name: null,
    external_id: null,
    role: 'super_admin',
    tenant_id: null,
    tenant_name: null,
    tenant_status: null,
    is_active: true,
    created_at: admin.admin.created_at,
    updated_at: expect.any(String),
    last_sign_in_at: expect.any(String),
    must_change_password: false,
    has_password: true,
    invitation: null,
    version: 1,
    deleted_at: null,
  })
})

test.for(['email', '-email', 'created_at', '-created_at', 'last_sign_in', '-last_sign_in'])(
  'pages by %s show every row once, forwards and backwards',
  async (sort) => {
    const expected = (await list(`sort=${sort}`)).json().map((one: User) => one.id)
    const { forwards, backwards } = await idsOfAllPages(get, `${url}?limit=200&sort=${sort}`)
    expect(forwards).toEqual(expected)
    expect(backwards).toEqual(expected)
  },
)

const searches: [string, string[]][] = [
  ['zoe_o.neil@example.com', ['Zoe_o.neil@Example.com']],
  ['O.NEIL', ['Zoe_o.neil@Example.com']],
  ['zo', ['Zoe_o.neil@Example.com']],
  ['%', []],
  ['zoe-o', []],
  ["'; drop table admins; --", []],
]
test.for(searches)('the search "%s" finds %s', async ([term, expected]) => {
  const answer = await list(`limit=50&q=${encodeURIComponent(term)}`)
  expect(emails(answer)).toEqual(expected)
  expect(answer.headers['x-total-count']).toBe(String(expected.length))
})

test('a name is found by any of its words', async () => {
  const { id: tenant_id } = await makeTenant(db)
  await makeUser(db, { email: 'ah@example.com', name: 'Ágnes Håkansson', role: 'user', tenant_id })
  for (const term of ['ágnes', 'HÅKANSSON', 'nes hå', 'ah@'])
    expect(emails(await list(`limit=50&tenant_id=${tenant_id}&q=${encodeURIComponent(term)}`))).toEqual([
      'ah@example.com',
    ])
})

test('an email address finds its user exactly, without regard to case', async () => {
  const { id: tenant_id } = await makeTenant(db)
  await makeUser(db, { email: 'Exact@Bücher.example', role: 'user', tenant_id })
  for (const email of ['exact@bücher.example', 'EXACT@xn--bcher-kva.example'])
    expect(emails(await list(`limit=9&email=${encodeURIComponent(email)}`))).toEqual(['Exact@Bücher.example'])
  expect(emails(await list('limit=9&email=act@xn--bcher-kva.example'))).toEqual([])
  expect((await list('limit=9&email=exact')).statusCode).toBe(422)
})

test('several roles are one filter, also of the counted total', async () => {
  const all = await list('limit=1&role=super_admin,user')
  const [admins, others] = await Promise.all([list('limit=1&role=super_admin'), list('limit=1&role=user')])
  const total = ({ headers }: typeof all) => Number(headers['x-total-count'])
  expect(total(all)).toBe(total(admins) + total(others))
  const active = await list('limit=1&role=super_admin,user&is_active=true')
  expect(total(active)).toBe((await list('role=super_admin,user&is_active=true')).json().length)
})

test('filters combine', async () => {
  const answer = await list(`limit=200&role=user&is_active=false&tenant_id=${zebra.id}&q=zoe`)
  expect(emails(answer)).toEqual(['Zoe_o.neil@Example.com'])
  expect(emails(await list(`limit=200&is_active=true&tenant_id=${zebra.id}`))).toEqual([])
  expect(emails(await list('limit=200&role=super_admin'))).toEqual(['root@example.com'])
})

test('users who never signed in are a filter of pages, files and selections', async () => {
  const at = new Date('2026-11-20T12:00:00.000Z')
  const { id: tenant_id } = await makeTenant(db)
  await makeUser(db, { email: 'seen@example.com', role: 'user', tenant_id, last_sign_in_at: at })
  await makeUser(db, { email: 'unseen@example.com', role: 'user', tenant_id })
  const query = `never_signed_in=true&tenant_id=${tenant_id}`
  const answer = await list(`limit=200&${query}`)
  expect(emails(answer)).toEqual(['unseen@example.com'])
  expect(answer.headers['x-total-count']).toBe('1')
  expect((await get(`${url}/ids?${query}`)).json()).toHaveLength(1)
  const file = await admin.call({ method: 'POST', url: `${url}/export?${query}` })
  expect(file.headers['x-export-rows']).toBe('1')
  expect(file.body).toContain('unseen@example.com')
})

test('users who never signed in come last when the latest sign-in comes first', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const signedIn = (email: string, at: string | null) =>
    makeUser(db, { email, role: 'user', tenant_id, last_sign_in_at: at === null ? null : new Date(at) })
  await signedIn('early@example.com', '2026-11-01T12:00:00.000Z')
  await signedIn('never@example.com', null)
  await signedIn('late@example.com', '2026-11-20T12:00:00.000Z')
  const query = `sort=-last_sign_in&tenant_id=${tenant_id}`
  const expected = ['late@example.com', 'early@example.com', 'never@example.com']
  expect(emails(await list(`limit=25&${query}`))).toEqual(expected)
  expect(emails(await list(query))).toEqual(expected)
  const file = await admin.call({ method: 'POST', url: `${url}/export?${query}` })
  expect(file.body).toMatch(
    /last_sign_in_at,must_change_password[^]*late@[^]*,2026-11-20T12:00:00.000Z,false[^]*never@/,
  )
})

test.for([
  'limit=0',
  'limit=201',
  'sort=password_hash',
  'sort=tenant_name',
  'role=root',
  'is_active=1',
  'never_signed_in=false',
  'is_active=',
  'tenant_id=1',
  'unknown=1',
  'q=a&q=b',
  'limit=5&cursor=x',
  'q=%00',
])('the query %s is refused', async (query) => {
  expect((await list(query)).statusCode).toBe(422)
})

test('no answer contains any part of a password', async () => {
  const answers = (await list('limit=200')).body + (await list('q=zoe')).body
  expect(answers.replaceAll(/"(must_change|has)_password":/g, '')).not.toMatch(/password|hash|token|argon2/)
})
