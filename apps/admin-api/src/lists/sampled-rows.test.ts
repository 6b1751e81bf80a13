import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import { listTenants, type Tenant } from '@switchboard/contract/tenants'
import { makeManyTenants } from '@switchboard/testing/factories'
import { withoutIndexes } from '@switchboard/testing/without-indexes'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { linkOf } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'
import { encodeCursor } from './cursor.ts'

// So many that the table is worth a sample.
const TENANTS = 72_000
const EVERYWHERE = 64_000
/** On neighbouring pages, and side by side in the order by name: too few for a proof, wherever the sample looks. */
const TOGETHER = 1_500

const { db, signIn } = await startTestApi()
const ada = await signIn('ada@example.com')
const get = async (address: string) => await ada.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${listTenants.url}?${query}`)
const ids = (answer: { json: () => Tenant[] }) => answer.json().map(({ id }) => id)

beforeAll(async () => {
  await withoutIndexes(db, ['tenants'], async (trx) => {
    await makeManyTenants(trx, TENANTS)
    // One in five is last by name.
    await sql`
      update tenants set name = case when n % 5 = 0 then 'Zenith ' when n <= ${TOGETHER} then 'Together ' else '' end
        || case when n % 9 <> 0 then 'Everywhere ' else '' end || name
      from (select id as of, row_number() over (order by created_at) as n from tenants) as numbered
      where id = of`.execute(trx)
  })
  // The update has left as many empty pages.
  await sql`vacuum full analyze tenants`.execute(db)
})

describe.for([
  // So many that a sample proves more than are told exactly,
  ['everywhere', '10000+', EVERYWHERE, ['created_at', '-created_at', '-admin_count']],
  // or only that there are many.
  ['bakery', '1000+', TENANTS / 10, ['name', '-name', 'created_at', '-admin_count']],
] as const)('of %s, of which a sample proves %s', ([word, total, count, sorts]) => {
  test.for(sorts)('pages by %s come in order, forwards and backwards', async (sort) => {
    const expected = ids(await list(`q=${word}&sort=${sort}`))
    expect(expected).toHaveLength(count)
    const first = await list(`limit=50&q=${word}&sort=${sort}`)
    expect(first.headers).toMatchObject({ 'x-total-count': total, 'x-page-sort': sort })
    expect(ids(first)).toEqual(expected.slice(0, 50))
    const second = await get(linkOf(first, 'next') ?? '')
    expect(second.headers).toMatchObject({ 'x-total-count': total, 'x-page-sort': sort, 'x-page-start': '50' })
    expect(ids(second)).toEqual(expected.slice(50, 100))
    const readBefore = await rowsRead()
    expect(ids(await get(linkOf(second, 'prev') ?? ''))).toEqual(expected.slice(0, 50))
    // Not all that match, though a walk has not enough before the first page.
    expect((await rowsRead()) - readBefore).toBeLessThan(TENANTS / 10)
  })
})

test('a page of a word that most have reads fewer rows than are counted', async () => {
  const readBefore = await rowsRead()
  expect((await list('limit=50&q=everywhere&sort=created_at')).headers['x-total-count']).toBe('10000+')
  expect((await rowsRead()) - readBefore).toBeLessThan(TOTAL_EXACT_MAX)
})

describe.for(['q=zenith', 'q=zenith&tenant_type=product'])('of %s, which stands at the end by name', (query) => {
  test('the newest come first and say so, forwards and backwards', async () => {
    const newest = ids(await list(`${query}&sort=-created_at`))
    const readBefore = await rowsRead()
    const first = await list(`limit=50&${query}&sort=name`)
    expect((await rowsRead()) - readBefore).toBeLessThan(TOTAL_EXACT_MAX)
    expect(first.headers).toMatchObject({ 'x-total-count': '1000+', 'x-page-sort': '-created_at' })
    expect(ids(first)).toEqual(newest.slice(0, 50))
    const second = await get(linkOf(first, 'next') ?? '')
    expect(second.headers).toMatchObject({ 'x-page-sort': '-created_at', 'x-page-start': '50' })
    expect(ids(second)).toEqual(newest.slice(50, 100))
    const readBeforeBack = await rowsRead()
    const back = await get(linkOf(second, 'prev') ?? '')
    expect((await rowsRead()) - readBeforeBack).toBeLessThan(TENANTS / 10)
    expect(back.headers).toMatchObject({ 'x-page-sort': '-created_at', 'x-page-start': '0' })
    expect(ids(back)).toEqual(newest.slice(0, 50))
  })

  test('the last pages in the order of the newest hold all the others', async () => {
    const newest: Tenant[] = (await list(`${query}&sort=-created_at`)).json()
    const from = newest.at(-121)
    const cursor = encodeCursor({
      sort: '-created_at',
      value: from?.created_at ?? '',
      id: from?.id ?? '',
      back: false,
      start: newest.length - 120,
    })
    const seen: string[] = []
    let at: string | undefined = `${listTenants.url}?limit=50&${query}&sort=name&cursor=${cursor}`
    for (; at !== undefined; at = linkOf(await get(at), 'next')) seen.push(...ids(await get(at)))
    expect(seen).toEqual(newest.slice(-120).map(({ id }) => id))
  })

  test('the order is kept where it can be had', async () => {
    const first = await list(`limit=50&${query}&sort=-name`)
    expect(first.headers['x-page-sort']).toBe('-name')
    expect(ids(first)).toEqual(ids(await list(`${query}&sort=-name`)).slice(0, 50))
  })

  test('a list that has begun in the order by name goes on in it', async () => {
    const byName: Tenant[] = (await list(`${query}&sort=name`)).json()
    const [first] = byName
    const cursor = encodeCursor({ sort: 'name', value: first?.name ?? '', id: first?.id ?? '', back: false, start: 1 })
    // From among all others, whose names come before.
    const before = encodeCursor({ sort: 'name', value: 'Amber', id: first?.id ?? '', back: false, start: 0 })
    for (const [place, start] of [
      [cursor, 1],
      [before, 0],
    ] as const) {
      const page = await list(`limit=50&${query}&sort=name&cursor=${place}`)
      expect(page.headers['x-page-sort']).toBe('name')
      expect(ids(page)).toEqual(byName.slice(start, start + 50).map(({ id }) => id))
    }
  })
})

test('the oldest that another filter leaves are found in their order', async () => {
  const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
  const query = `q=everywhere&created_from=${day}&sort=created_at`
  const page = await list(`limit=50&${query}`)
  expect(page.headers).toMatchObject({ 'x-total-count': '1000+', 'x-page-sort': 'created_at' })
  expect(ids(page)).toEqual(ids(await list(query)).slice(0, 50))
})

test.for(['name', '-name', 'created_at', '-created_at'])(
  'what stands together is counted and not guessed, and its pages by %s come in order',
  async (sort) => {
    const expected = ids(await list(`q=together&sort=${sort}`))
    expect(expected.length).toBe((TOGETHER * 4) / 5)
    const first = await list(`limit=50&q=together&sort=${sort}`)
    expect(first.headers).toMatchObject({ 'x-total-count': String(expected.length), 'x-page-sort': sort })
    expect(ids(first)).toEqual(expected.slice(0, 50))
    const second = await get(linkOf(first, 'next') ?? '')
    expect(second.headers['x-total-count']).toBe(String(expected.length))
    expect(ids(second)).toEqual(expected.slice(50, 100))
    expect(ids(await get(linkOf(second, 'prev') ?? ''))).toEqual(expected.slice(0, 50))
  },
)

test('the last page of a word that many have is short, and from behind it the list begins anew', async () => {
  const expected: Tenant[] = (await list('q=bakery&sort=name')).json()
  const behind = async (row: Tenant | undefined) =>
    await list(
      `limit=50&q=bakery&sort=name&cursor=${encodeCursor({ sort: 'name', value: row?.name ?? '', id: row?.id ?? '', back: false, start: 0 })}`,
    )
  const idsOf = (rows: Tenant[]) => rows.map(({ id }) => id)
  expect(ids(await behind(expected.at(-8)))).toEqual(idsOf(expected.slice(-7)))
  expect(ids(await behind(expected.at(-1)))).toEqual(idsOf(expected.slice(0, 50)))
})

/** Of all tenants' rows so far. */
async function rowsRead(): Promise<number> {
  // Each connection keeps for itself for a while what it has read.
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'tenants'`.execute(db)
  return rows[0]?.read ?? Number.NaN
}
