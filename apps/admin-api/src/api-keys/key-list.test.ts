import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { makeApiKey, makeManyApiKeys, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { idsOfAllPages } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/api-keys'
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
const dayAgo = (days: number) => inDays(-days).toISOString().slice(0, 10)

await makeManyTenants(db, 20)
await makeManyApiKeys(db, 500)
const quay = await makeTenant(db, { name: 'Quay Opticians', subdomain: 'quay-sight' })
const website = await makeApiKey(db, {
  tenant_id: quay.id,
  name: 'Zebra website',
  // Letters of no other name.
  id: '6f6f1b0e-0000-4000-8000-00000000f9f8',
  key_start: 'Qz7x',
  key_last4: 'Wv9k',
  description: 'On every page of the shop',
  allowed_origins: ['https://shop.quay.example', 'https://*.zoo.example'],
})

// Some keys were used at the same time, others never.
await sql`
  update api_keys set last_used_at = date_trunc('hour', created_at) where hashtext(id::text) % 3 <> 0`.execute(db)

const get = async (address: string) => await admin.call({ method: 'GET', url: address })
const list = async (query: string) => await get(`${url}?limit=50&${query}`)
const idsOf = (answer: { json: () => { id: string }[] }) => answer.json().map(({ id }) => id)
const rowsOf = async (query: string): Promise<ApiKeyRow[]> => (await list(query)).json()

const SORTS = 'name tenant_name state allowed_origins calls refused last_used_at expires_at created_at'.split(' ')

describe('the pages', () => {
  test.for(SORTS.flatMap((sort) => [sort, `-${sort}`]))(
    'by %s show every key once, in the order of the whole list, also among equal values',
    async (sort) => {
      const whole = idsOf(await get(`${url}?sort=${sort}`))
      expect(whole).toHaveLength(501)
      const { forwards, backwards } = await idsOfAllPages(get, `${url}?limit=60&sort=${sort}`)
      expect(forwards).toEqual(whole)
      expect(backwards).toEqual(whole)
      expect((await get(`${url}/ids?sort=${sort}`)).json()).toEqual(whole)
    },
  )

  test.for([
    'state=expired&sort=name',
    'expiry=month',
    'state=working,expiring,in_grace&sort=-calls',
    'origins=any&sort=refused',
  ])('of %s show every key once', async (query) => {
    const { forwards, backwards } = await idsOfAllPages(get, `${url}?limit=60&${query}`)
    expect(forwards).toEqual(idsOf(await get(`${url}?${query}`)))
    expect(forwards.length).toBeGreaterThan(0)
    expect(backwards).toEqual(forwards)
  })

  test.for(SORTS)('of one tenant by %s show every key once', async (sort) => {
    const { tenant_id } = await db.selectFrom('api_keys').select('tenant_id').limit(1).executeTakeFirstOrThrow()
    const { forwards, backwards } = await idsOfAllPages(get, `${url}?limit=7&sort=${sort}&tenant_id=${tenant_id}`)
    expect(forwards).toHaveLength(25)
    expect(new Set(forwards).size).toBe(25)
    expect(backwards).toEqual(forwards)
  })

  test('are sorted by tenant, the keys of a tenant newest first', async () => {
    const keys: ApiKeyRow[] = (await get(url)).json()
    const inOrder = keys.toSorted(
      (one, other) =>
        one.tenant_name.localeCompare(other.tenant_name) || other.created_at.localeCompare(one.created_at),
    )
    expect(keys.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id))
    const ofTenant = await rowsOf(`tenant_id=${keys[0]?.tenant_id}`)
    expect(ofTenant.map(({ created_at }) => created_at)).toEqual(
      ofTenant
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    )
  })

  test('never hold a secret or a deleted key', async () => {
    const gone = await makeApiKey(db, { tenant_id: quay.id, name: 'Gone' })
    await admin.call({ method: 'DELETE', url: `${url}/${gone.id}` })
    const answer = await list(`tenant_id=${quay.id}`)
    expect(idsOf(answer)).toEqual([website.id])
    expect(answer.headers['x-total-count']).toBe('1')
    expect(answer.body).not.toMatch(/hash|secret|"api_key"|"age"|"last_use"|search_text/)
  })

  test('follow a new name of their tenant', async () => {
    const tenant = await makeTenant(db, { name: 'Before' })
    const { id } = await makeApiKey(db, { tenant_id: tenant.id })
    await admin.call({ method: 'PUT', url: `/api/v1/admin/tenants/${tenant.id}`, body: { name: 'Yonder Bakery' } })
    expect((await rowsOf('q=yonder')).map((key) => [key.id, key.tenant_name])).toEqual([[id, 'Yonder Bakery']])
    await admin.call({ method: 'DELETE', url: `/api/v1/admin/tenants/${tenant.id}` })
  })
})

describe('the search', () => {
  const { id, key_start, key_last4 } = website
  const found = [
    'zebra web',
    'WEBSITE',
    'page of the shop',
    'shop.quay.example',
    'zoo.example',
    'quay opt',
    'quay-sight',
    id,
    id.slice(-4),
    key_start,
    key_last4,
    `${key_start}…${key_last4}`,
    `sb_live_${key_start}…${key_last4}`,
    `sb_live_••••${id.slice(-4)}`,
    `  ${key_start}…${key_last4} `,
  ]
  test.for(found)('for "%s" finds the key', async (term) => {
    expect(idsOf(await list(`q=${encodeURIComponent(term)}`))).toContain(id)
  })

  test.for([
    'zebra shop',
    '%',
    '_',
    `${key_start}…0000`,
    `sb_live_0000${key_start}`,
    "'; drop table api_keys; --",
    '\\',
  ])('for "%s" does not find it', async (term) => {
    const answer = await list(`q=${encodeURIComponent(term)}`)
    expect(answer.statusCode).toBe(200)
    expect(idsOf(answer)).not.toContain(id)
  })

  test('for the secret itself finds nothing', async () => {
    expect(idsOf(await list(`q=${website.api_key}`))).toEqual([])
  })
})

describe('the filters', () => {
  test('by expiry find keys that end within a week, within 30 days, never and in the past', async () => {
    const tenant_id = (await makeTenant(db)).id
    for (const days of [-1, 6, 8, 29, 31])
      await makeApiKey(db, { tenant_id, name: String(days), expires_at: inDays(days) })
    await makeApiKey(db, { tenant_id, name: 'never' })
    const names = async (expiry: string) =>
      (await rowsOf(`sort=expires_at&tenant_id=${tenant_id}&expiry=${expiry}`)).map(({ name }) => name)
    expect(await names('week')).toEqual(['6'])
    expect(await names('month')).toEqual(['6', '8', '29'])
    expect(await names('past')).toEqual(['-1'])
    expect(await names('never')).toEqual(['never'])
    expect((await rowsOf(`sort=-expires_at&tenant_id=${tenant_id}`)).map(({ name }) => name)).toEqual([
      'never',
      '31',
      '29',
      '8',
      '6',
      '-1',
    ])
  })

  test('combine, and count what they find', async () => {
    const answer = await list(`tenant_id=${quay.id}&origins=restricted&state=working&expiry=never&q=zebra`)
    expect(idsOf(answer)).toEqual([website.id])
    expect(answer.headers['x-total-count']).toBe('1')
    expect(idsOf(await list(`tenant_id=${quay.id}&origins=any`))).toEqual([])
    const selectable: string[] = (await get(`${url}/ids`)).json()
    const unrestricted = selectable.filter((id) => id !== website.id)
    expect((await list('origins=any')).headers['x-total-count']).toBe(String(unrestricted.length))
    const selected = await get(`${url}/ids?tenant_id=${quay.id}&origins=restricted`)
    expect(selected.json()).toEqual([website.id])
    const file = await admin.call({ method: 'POST', url: `${url}/export?q=zebra+web` })
    expect(file.headers['x-export-rows']).toBe('1')
    expect(file.body).toContain('quay-sight,active,Zebra website')
  })

  test('by refusals find the refused keys of the last days', async () => {
    const tenant_id = (await makeTenant(db)).id
    const [refused, before] = [await makeApiKey(db, { tenant_id }), await makeApiKey(db, { tenant_id })]
    await countCalls(refused.id, dayAgo(6), 'origin_refused', 3)
    await countCalls(before.id, dayAgo(7), 'origin_refused', 3)
    expect(idsOf(await list('attention=keys_refused'))).toEqual([refused.id])
  })
})

const countCalls = async (id: string, day: string, outcome: 'valid' | 'origin_refused', count: number) =>
  await makeCalls(db, id, outcome, { count, at: new Date(`${day}T00:00:00Z`) })

test('recent calls are the last seven days in UTC, oldest first, and sort the keys', async () => {
  const tenant_id = (await makeTenant(db)).id
  const [busy, quiet] = [await makeApiKey(db, { tenant_id }), await makeApiKey(db, { tenant_id })]
  await countCalls(busy.id, dayAgo(0), 'valid', 5)
  await countCalls(busy.id, dayAgo(0), 'origin_refused', 2)
  await countCalls(busy.id, dayAgo(6), 'valid', 1)
  await countCalls(busy.id, dayAgo(7), 'valid', 99)
  const none = { accepted: 0, refused: 0 }
  const expected = [{ accepted: 1, refused: 0 }, none, none, none, none, none, { accepted: 5, refused: 2 }]
  const rows = await rowsOf(`tenant_id=${tenant_id}&sort=-calls`)
  expect(rows.map(({ id, recent_calls }) => [id, recent_calls])).toEqual([
    [busy.id, expected],
    [quiet.id, Array.from({ length: 7 }, () => none)],
  ])
  expect(idsOf(await list(`tenant_id=${tenant_id}&sort=refused`))).toEqual([quiet.id, busy.id])
  expect(idsOf(await list(`tenant_id=${tenant_id}&sort=-last_used_at`))).toEqual([busy.id, quiet.id])
  expect((await rowsOf('sort=-calls'))[0]).toMatchObject({ id: busy.id })
  expect((await rowsOf('sort=calls')).every(({ recent_calls }) => recent_calls[6]?.accepted === 0)).toBe(true)
  const file = await admin.call({ method: 'POST', url: `${url}/export?tenant_id=${tenant_id}&sort=calls` })
  expect(
    file.body
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').slice(-2)),
  ).toEqual([
    ['calls_7_days', 'refused_7_days'],
    ['0', '0'],
    ['6', '2'],
  ])
})

test.for([
  'limit=0',
  'limit=201',
  'sort=key_hash',
  'sort=sort_value',
  'sort=--name',
  'sort=__proto__',
  'sort=name&sort=calls',
  'state=fine',
  'state=',
  'expiry=today',
  'origins=none',
  'fold=false',
  'attention=no_active_admin',
  'tenant_id=1',
  'unknown=1',
  'q=a&q=b',
  'state=working&state=expired',
  'state=working,none',
  'state=',
  'updated_since=yesterday',
  `q=${'x'.repeat(101)}`,
  'q=%00',
  'q=%ED%A0%80',
  'limit=5&cursor=x',
  `limit=5&cursor=${'A'.repeat(10_000)}`,
])('the query %s is refused', async (query) => {
  expect((await get(`${url}?${query}`)).statusCode).toBe(422)
})

const cursorOf = (fields: object) =>
  Buffer.from(JSON.stringify({ back: false, start: 0, ...fields })).toString('base64url')
test.for([
  { sort: 'tenant_name', values: ['x', website.id] },
  { sort: 'tenant_name', values: ['x', 'soon', website.id] },
  { sort: 'tenant_name', values: ['\u0000', -1, website.id] },
  { sort: 'expires_at', column: 'ends_at', values: ['soon', website.id] },
  { sort: 'state', column: 'place_of_state', values: ['working', website.id] },
  { sort: 'calls', values: [1e300, website.id] },
  { sort: 'calls', values: [{ toString: 'x' }, website.id] },
  { sort: 'name', values: ['x', "' or true --"] },
  { sort: 'name', values: ['x', website.id], back: 'yes' },
  { sort: 'name', values: ['x', website.id], start: -1 },
])('a made-up cursor %o is refused', async ({ sort, column = sort, ...fields }) => {
  const cursor = cursorOf({ ...fields, sort: column })
  expect((await list(`sort=${sort}&cursor=${cursor}`)).statusCode).toBe(422)
})

test('a made-up cursor of the right form is a place in the list', async () => {
  const cursor = cursorOf({ sort: 'tenant_name', values: ['', 0, website.id] })
  expect((await list(`sort=tenant_name&cursor=${cursor}`)).json()).toHaveLength(50)
})

test.for(['a'.repeat(100), 'a b '.repeat(25), '%_\\'.repeat(33), '000 '.repeat(25), '…'.repeat(100), '🔑'.repeat(50)])(
  'the longest search for "%s" is answered within a second',
  async (term) => {
    // Other tests share the machine: the best of four attempts counts.
    let ms = Number.POSITIVE_INFINITY
    for (let n = 0; n < 4 && ms >= 1_000; n += 1) {
      const startedAt = performance.now()
      expect(idsOf(await list(`q=${encodeURIComponent(term)}`))).toEqual([])
      ms = performance.now() - startedAt
    }
    expect(ms).toBeLessThan(1_000)
  },
)

test.for(['\u0001', '"', '🔑'])('the pages continue after a name that consists of %j', async (character) => {
  const tenant_id = (await makeTenant(db)).id
  const name = character.repeat(132 / character.length)
  const keys = [await makeApiKey(db, { tenant_id, name }), await makeApiKey(db, { tenant_id, name })]
  const { forwards } = await idsOfAllPages(get, `${url}?limit=1&sort=name&tenant_id=${tenant_id}`)
  expect(new Set(forwards)).toEqual(new Set(keys.map(({ id }) => id)))
})

test('a bulk change with filters refuses a key that no longer matches them', async () => {
  const tenant_id = (await makeTenant(db)).id
  const [one, other] = [
    await makeApiKey(db, { tenant_id, name: 'Alpha' }),
    await makeApiKey(db, { tenant_id, name: 'Beta' }),
  ]
  const answer = await admin.call({
    method: 'POST',
    url: `${url}/bulk?state=working,expiring,in_grace&q=alpha&tenant_id=${tenant_id}`,
    body: { action: 'deactivate', ids: [one.id, other.id] },
  })
  expect(answer.json().results.map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome])).toEqual([
    [one.id, 'done'],
    [other.id, 'refused'],
  ])
})
