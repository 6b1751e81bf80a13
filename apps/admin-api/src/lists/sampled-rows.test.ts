import { TOTAL_EXACT_MAX } from '@switchboard/contract/lists'
import { listTenants, type Tenant } from '@switchboard/contract/tenants'
import { makeApiKey, makeManyTenants } from '@switchboard/database/factories'
import { withoutIndexes } from '@switchboard/database/without-indexes'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { linkOf } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'
import { encodeCursor } from './cursor.ts'

// So many that the table is worth a sample.
const TENANTS = 72_000
const EVERYWHERE = 64_000
/** One fewer than are told exactly: on neighbouring pages, and side by side in the order by name. */
const TOGETHER = TOTAL_EXACT_MAX - 1

const { db, signIn } = await startTestApi()
const ada = await signIn('ada@example.com')
const get = async (address: string) => await ada.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${listTenants.url}?${query}`)
const ids = (answer: { json: () => Tenant[] }) => answer.json().map(({ id }) => id)

beforeAll(async () => {
  await withoutIndexes(db, ['tenants'], async (trx) => {
    await makeManyTenants(trx, TENANTS)
    await sql`
      update tenants set name = case when n <= ${TOGETHER} then 'Together ' else '' end
        || case when n % 9 <> 0 then 'Everywhere ' else '' end || name
      from (select id as of, row_number() over (order by created_at) as n from tenants) as numbered
      where id = of`.execute(trx)
  })
  // The update has left as many empty pages.
  await sql`vacuum full analyze tenants`.execute(db)
})

test.for(['name', '-name', 'created_at', '-admin_count'])(
  'of a word that most have, pages by %s come in order, forwards and backwards',
  async (sort) => {
    const expected = ids(await list(`q=everywhere&sort=${sort}`))
    expect(expected).toHaveLength(EVERYWHERE)
    const first = await list(`limit=50&q=everywhere&sort=${sort}`)
    expect(first.headers['x-total-count']).toBe('10000+')
    expect(ids(first)).toEqual(expected.slice(0, 50))
    const second = await get(linkOf(first, 'next') ?? '')
    expect(ids(second)).toEqual(expected.slice(50, 100))
    expect(ids(await get(linkOf(second, 'prev') ?? ''))).toEqual(expected.slice(0, 50))
  },
)

test('a page of a word that most have reads fewer rows than are counted', async () => {
  const readBefore = await rowsRead()
  expect((await list('limit=50&q=everywhere&sort=created_at')).headers['x-total-count']).toBe('10000+')
  expect((await rowsRead()) - readBefore).toBeLessThan(TOTAL_EXACT_MAX)
})

test.for([
  // At the end of this order, where no walk gets to,
  ['together', 'name'],
  // at its beginning,
  ['together', 'created_at'],
  // and everywhere.
  ['bakery', 'name'],
  ['bakery', '-created_at'],
] as const)(
  '%s, which many have, is counted and not guessed, and its pages by %s come in order',
  async ([word, sort]) => {
    const expected = ids(await list(`q=${word}&sort=${sort}`))
    expect(expected.length).toBeGreaterThan(5_000)
    const first = await list(`limit=50&q=${word}&sort=${sort}`)
    expect(first.headers['x-total-count']).toBe(String(expected.length))
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

test('many tenants whose keys expire are listed in order, also where they stand together', async () => {
  const last = await db
    .selectFrom('tenants')
    .select('id')
    .orderBy('name', 'desc')
    .orderBy('id', 'desc')
    .limit(300)
    .execute()
  const expires_at = new Date(Date.now() + 86_400_000)
  for (const { id: tenant_id } of last) await makeApiKey(db, { tenant_id, expires_at })
  await makeApiKey(db, { tenant_id: last[0]?.id ?? '', expires_at })
  // By name no walk gets there.
  for (const sort of ['name', '-name', 'created_at', '-created_at']) {
    const expected = ids(await list(`attention=keys_expiring&sort=${sort}`))
    expect(expected).toHaveLength(last.length)
    const first = await list(`limit=50&attention=keys_expiring&sort=${sort}`)
    expect(first.headers['x-total-count']).toBe(String(last.length))
    expect(ids(first)).toEqual(expected.slice(0, 50))
    const second = await get(linkOf(first, 'next') ?? '')
    expect(ids(second)).toEqual(expected.slice(50, 100))
    expect(ids(await get(linkOf(second, 'prev') ?? ''))).toEqual(expected.slice(0, 50))
  }
})

/** Of all tenants' rows so far. */
async function rowsRead(): Promise<number> {
  // Each connection keeps for itself for a while what it has read.
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'tenants'`.execute(db)
  return rows[0]?.read ?? Number.NaN
}
