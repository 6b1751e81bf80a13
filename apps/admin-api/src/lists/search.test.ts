import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import { tenantList, type Tenant } from '@switchboard/contract/tenants'
import { connect } from '@switchboard/database/connection/connect'
import { makeApiKey, makeManyApiKeys, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { idsOfAllPages, linkOf } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'
import { encodeCursor } from './cursor.ts'

const OTHERS = 6_000
const EXPIRING = 1_100

const api = await startTestApi()
const { db, signIn } = api
const ada = await signIn('ada@example.com')
const get = async (address: string) => await ada.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${tenantList.list.url}?${query}`)
const ids = (answer: { json: () => Tenant[] }) => answer.json().map(({ id }) => id)
const total = async (query: string) => (await list(`limit=1&${query}`)).headers['x-total-count']

const patient = connect(api.databaseUrl, { isPatient: true })
await makeManyTenants(patient, TOTAL_EXACT_MAX + 1 + OTHERS)
// At the end of the order by name.
await sql`
  update tenants set name = 'Zenith ' || name
  where id in (select id from tenants order by created_at limit ${TOTAL_EXACT_MAX + 1})`.execute(patient)
await sql`vacuum analyze tenants`.execute(patient)
await patient.destroy()

test.for(['name', '-name', 'created_at', '-created_at', 'admin_count'])(
  'pages by %s are in order, forwards and backwards, also with more than 10,000 matches',
  async (sort) => {
    const expected = ids(await list(`q=zenith&sort=${sort}`))
    expect(expected).toHaveLength(TOTAL_EXACT_MAX + 1)
    const first = await list(`limit=50&q=zenith&sort=${sort}`)
    expect(first.headers['x-total-count']).toBe('10000+')
    expect(ids(first)).toEqual(expected.slice(0, 50))
    const second = await get(linkOf(first, 'next') ?? '')
    expect(ids(second)).toEqual(expected.slice(50, 100))
    expect(ids(await get(linkOf(second, 'prev') ?? ''))).toEqual(expected.slice(0, 50))
  },
)

test('a cursor before the last rows returns a short page, a cursor after all rows the first page', async () => {
  const rows: Tenant[] = (await list('q=zenith&sort=name')).json()
  const behind = async (row: Tenant | undefined) =>
    await list(
      `limit=50&q=zenith&sort=name&cursor=${encodeCursor({ sort: 'name', values: [row?.name ?? '', row?.id ?? ''], back: false, start: 0 })}`,
    )
  expect(ids(await behind(rows.at(-8)))).toEqual(rows.slice(-7).map(({ id }) => id))
  expect(ids(await behind(rows.at(-1)))).toEqual(rows.slice(0, 50).map(({ id }) => id))
})

test('the total is exact to 10,000 matches', async () => {
  const [one, other] = ids(await list('q=zenith&sort=-name'))
  expect(await total('q=zenith')).toBe('10000+')
  await db
    .deleteFrom('tenants')
    .where('id', '=', one ?? '')
    .execute()
  expect(await total('q=zenith&sort=name')).toBe('10000')
  expect(ids(await list('q=zenith&sort=-name&limit=1'))).toEqual([other])
  expect(await total('q=zenith&status=inactive')).toBe(String(ids(await list('q=zenith&status=inactive')).length))
})

test.for(['name', '-created_at'])(
  'the pages of a rare word by %s show each row once, forwards and backwards',
  async (sort) => {
    const expected = ids(await list(`q=zenith+amber&sort=${sort}`))
    expect(expected.length).toBeGreaterThan(900)
    const { forwards, backwards } = await idsOfAllPages(
      get,
      `${tenantList.list.url}?limit=200&q=zenith+amber&sort=${sort}`,
    )
    expect(forwards).toEqual(expected)
    expect(backwards).toEqual(expected)
  },
)

test('a tenant with two expiring keys is counted and listed once', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const expires_at = new Date(Date.now() + 86_400_000)
  await makeApiKey(db, { tenant_id, expires_at })
  await makeApiKey(db, { tenant_id, expires_at })
  for (const sort of ['name', '-created_at']) {
    const page = await list(`limit=5&attention=keys_expiring&sort=${sort}`)
    expect(ids(page)).toEqual([tenant_id])
    expect(page.headers['x-total-count']).toBe('1')
  }
})

test('many tenants with expiring keys are counted exactly and sorted by name', async () => {
  await makeManyApiKeys(db, EXPIRING)
  await sql`update tenants set status = 'active' where id in (select tenant_id from api_keys)`.execute(db)
  await sql`update api_keys set is_active = true, expires_at = now() + interval '1 day'`.execute(db)
  const expected = ids(await list('attention=keys_expiring&sort=name'))
  expect(expected.length).toBeGreaterThanOrEqual(EXPIRING)
  const { forwards, backwards } = await idsOfAllPages(
    get,
    `${tenantList.list.url}?limit=200&attention=keys_expiring&sort=name`,
  )
  expect(forwards).toEqual(expected)
  expect(backwards).toEqual(expected)
})
