import { TOTAL_COUNTED_MAX } from '@switchboard/contract/wire/lists'
import { listTenants, type Tenant } from '@switchboard/contract/tenants'
import { makeApiKey, makeManyApiKeys, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { idsOfAllPages, linkOf } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'
import { encodeCursor } from './cursor.ts'

const MANY = TOTAL_COUNTED_MAX + 200
const DAY_MS = 86_400_000

const { db, signIn } = await startTestApi()
let ada = await signIn()
const get = async (address: string) => await ada.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${listTenants.url}?attention=keys_expiring&${query}`)
const ids = (answer: { json: () => Tenant[] }) => answer.json().map(({ id }) => id)
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

beforeEach(async () => {
  await sql`truncate tenants cascade`.execute(db)
  ada = await signIn()
})

/** Tenants with a key each that ends on one of five days. */
async function makeTenantsWithEndingKeys(count: number): Promise<void> {
  await makeManyTenants(db, count)
  await makeManyApiKeys(db, count)
  await sql`
    update api_keys set is_active = true, expires_at = now() + (1 + n % 5) * interval '1 day'
    from (select id as of, row_number() over (order by created_at) as n from api_keys) as numbered
    where id = of`.execute(db)
}

/** The tenants by the end of their first key. */
async function idsByEnd(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select tenant_id as id from api_keys where expires_at > now()
    group by tenant_id order by min((expires_at, id))`.execute(db)
  return rows.map(({ id }) => id)
}

test('as many tenants as are counted are in the order asked for', async () => {
  await makeTenantsWithEndingKeys(TOTAL_COUNTED_MAX)
  for (const sort of ['name', '-created_at']) {
    const expected = ids(await list(`sort=${sort}`))
    expect(expected).toHaveLength(TOTAL_COUNTED_MAX)
    const page = await list(`limit=1&sort=${sort}`)
    expect(page.headers).toMatchObject({ 'x-total-count': String(TOTAL_COUNTED_MAX), 'x-page-sort': sort })
    const first = `${listTenants.url}?attention=keys_expiring&limit=200&sort=${sort}`
    expect(await idsOfAllPages(get, first)).toEqual({ forwards: expected, backwards: expected })
  }
})

test('more are in the order in which their keys end, each once, forwards and backwards', async () => {
  await makeTenantsWithEndingKeys(MANY)
  // The first of them, the last, and one between have more keys, some that end at the same time.
  const byEnd = await idsByEnd()
  for (const tenant_id of [byEnd[0], byEnd[600], byEnd.at(-1)].filter((id) => id !== undefined))
    for (const days of [1, 3, 3, 9, 13]) await makeApiKey(db, { tenant_id, expires_at: inDays(days) })

  const expected = await idsByEnd()
  expect(expected).toHaveLength(MANY)
  const forwards: string[] = []
  let [last, at]: (string | undefined)[] = ['', `${listTenants.url}?attention=keys_expiring&limit=150&sort=name`]
  while (at !== undefined) {
    const page = await get(at)
    expect(page.headers).toMatchObject({
      'x-total-count': '1000+',
      'x-page-sort': 'keys_end',
      'x-page-start': String(forwards.length),
    })
    forwards.push(...ids(page))
    ;[last, at] = [at, linkOf(page, 'next')]
  }
  expect(forwards).toEqual(expected)
  const backwards: string[] = []
  for (let back: string | undefined = last; back !== undefined;) {
    const page = await get(back)
    backwards.unshift(...ids(page))
    back = linkOf(page, 'prev')
  }
  expect(backwards).toEqual(expected)
})

test('narrowed further, many are sorted and counted', async () => {
  await makeTenantsWithEndingKeys(MANY)
  const expected = ids(await list('tenant_type=product&sort=name'))
  const page = await list('limit=50&tenant_type=product&sort=name')
  expect(page.headers).toMatchObject({ 'x-total-count': String(expected.length), 'x-page-sort': 'name' })
  expect(ids(page)).toEqual(expected.slice(0, 50))
})

test('a page goes on in its order when there are fewer or more by then', async () => {
  await makeTenantsWithEndingKeys(MANY)
  const byEnd = await idsByEnd()
  const first = await list('limit=50&sort=name')
  await db.deleteFrom('api_keys').where('tenant_id', 'in', byEnd.slice(100)).execute()
  const second = await get(linkOf(first, 'next') ?? '')
  expect(second.headers).toMatchObject({ 'x-total-count': '100', 'x-page-sort': 'keys_end' })
  expect(ids(second)).toEqual(byEnd.slice(50, 100))

  const byName = await list('limit=50&sort=name')
  expect(byName.headers['x-page-sort']).toBe('name')
  await sql`truncate tenants cascade`.execute(db)
  ada = await signIn()
  await makeTenantsWithEndingKeys(MANY)
  const next = await get(linkOf(byName, 'next') ?? '')
  expect(next.headers['x-page-sort']).toBe('name')
  expect(ids(next)).toHaveLength(50)
})

test('tenants that have many keys each are counted once', async () => {
  await makeTenantsWithEndingKeys(300)
  await sql`
    insert into api_keys (tenant_id, name, key_hash, key_prefix, key_start, key_last4, expires_at)
    select tenant_id, name || n, sha256((id::text || n)::bytea), key_prefix, key_start, key_last4, expires_at
    from api_keys cross join generate_series(1, 4) as n`.execute(db)
  const expected = ids(await list('sort=name'))
  const page = await list('limit=50&sort=name')
  expect(page.headers).toMatchObject({ 'x-total-count': '300', 'x-page-sort': 'name' })
  expect(ids(page)).toEqual(expected.slice(0, 50))
})

test('a cursor of another list or of nothing is refused', async () => {
  const { id } = await makeTenant(db)
  const cursor = (sort: string, value: string) => encodeCursor({ sort, value, id, back: false, start: 0 })
  expect((await list(`limit=5&sort=name&cursor=${cursor('-created_at', inDays(1).toISOString())}`)).statusCode).toBe(
    422,
  )
  expect((await list(`limit=5&sort=name&cursor=${cursor('keys_end', 'soon')}`)).statusCode).toBe(422)
  const searched = `${listTenants.url}?q=amber&limit=5&sort=name&cursor=${cursor('keys_end', inDays(1).toISOString())}`
  expect((await get(searched)).statusCode).toBe(422)
})
