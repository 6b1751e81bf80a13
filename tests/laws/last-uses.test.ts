import { API_KEYS_URL } from '@switchboard/contract/api-keys'
import { deleteTenant, restoreTenant } from '@switchboard/contract/tenants'
import { dayOf, DAY_MS } from '@switchboard/contract/wire/days'
import { makeApiKey, makeManyApiKeys, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { idsOfAllPages } from '#apps/admin-api/src/testing/list-pages.ts'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { foldKeyUse, keepLastUses } from '#apps/worker/src/api-keys/old-key-use.queries.ts'

// The list of keys by last use has the order of the calls in api_key_outcomes, at each stage of the kept last uses.

const UNKEPT_DAYS = 4

const api = await startTestApi()
const { db } = api
const { call } = await api.signIn()
const get = (url: string) => call({ method: 'GET', url })
const now = Date.now()
const dayBefore = (days: number) => dayOf(now - days * DAY_MS)

await makeManyTenants(db, 6)
await makeManyApiKeys(db, 150)

/** Calls of two thirds of the keys: on days of the last year, up to a random day, some at the same time. */
beforeEach(async () => {
  await sql`delete from api_key_outcomes`.execute(db)
  await sql`delete from api_keys_last_used`.execute(db)
  // The state as if no worker had run since then.
  await sql`update api_keys_last_used_until set day = ${dayBefore(UNKEPT_DAYS)}::date`.execute(db)
  await sql`
    insert into api_key_outcomes (api_key_id, day, outcome, count, last_at)
    select id, day, case when hashtext(id::text || ago) % 5 = 0 then 'expired' else 'valid' end, 1,
      least(now(), (day + (hashtext(id::text || day) & 3) * interval '7 hours') at time zone 'UTC')
    from api_keys
    cross join (select ago from generate_series(0, 320) as ago where ago < 8 or ago % 11 = 0) as days
    cross join lateral (select (now() at time zone 'UTC')::date - ago as day) as dated
    where hashtext(id::text) % 3 <> 0 and hashtext(id::text || ago) % 4 = 0
      and ago >= (array[0, 0, 1, 2, 3, 50, 150, 270])[1 + (hashtext(id::text) & 7)]`.execute(db)
})

/** The ids of the keys by their last accepted call and their id. */
async function idsByHand(where = sql<boolean>`true`): Promise<string[]> {
  const keys = await db.selectFrom('api_keys').select('id').where(where).execute()
  const uses = await db
    .selectFrom('api_key_outcomes')
    .select(['api_key_id', 'last_at'])
    .where('outcome', '=', 'valid')
    .execute()
  const last = new Map<string, string>()
  for (const { api_key_id: id, last_at } of uses) if (last_at > (last.get(id) ?? '')) last.set(id, last_at)
  const inOrder = keys.map(({ id }) => `${last.get(id) ?? ''} ${id}`).toSorted()
  return inOrder.map((text) => text.split(' ')[1] ?? '')
}

/** Compares the pages, the whole list and the shown times with the calls. */
async function expectOrder(): Promise<void> {
  const byHand = await idsByHand()
  const { forwards, backwards } = await idsOfAllPages(get, `${API_KEYS_URL}?limit=50&sort=last_used_at`)
  expect(forwards).toEqual(byHand)
  expect(backwards).toEqual(byHand)
  const newest = await idsOfAllPages(get, `${API_KEYS_URL}?limit=50&sort=-last_used_at&state=any_working`)
  const working = new Set(newest.forwards)
  expect(newest.forwards).toEqual(byHand.filter((id) => working.has(id)).toReversed())
  const { tenant_id } = await db
    .selectFrom('api_keys')
    .select('tenant_id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const ofTenant = await get(`${API_KEYS_URL}?limit=50&sort=last_used_at&tenant_id=${tenant_id}`)
  expect(ofTenant.json().map(({ id }: { id: string }) => id)).toEqual(await idsByHand(sql`tenant_id = ${tenant_id}`))
}

/** Days that have ended and are not kept. */
async function unkeptDays(): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct api_key_outcomes.day from api_key_outcomes, api_keys_last_used_until as kept
    where outcome = 'valid' and api_key_outcomes.day > kept.day
      and api_key_outcomes.day < ((now() - interval '1 hour') at time zone 'UTC')::date`.execute(db)
  return rows.map(({ day }) => day)
}

/** Keeps last uses as two workers at once. */
async function keepAll(): Promise<void> {
  while ((await unkeptDays()).length > 0) await Promise.all([keepLastUses(db), keepLastUses(db)])
}

async function countOfRows(where = sql`true`): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_key_outcomes where ${where}`.execute(db)
  return rows[0]?.count ?? 0
}

const unfoldedRows = () => countOfRows(sql`day < key_use_folded_before() and extract(day from day) > 1`)

test('the order is exact before, between and after the days that are kept, and after a fold', async () => {
  await expectOrder()
  expect((await unkeptDays()).length).toBeGreaterThan(1)
  await keepLastUses(db)
  await expectOrder()
  await keepAll()
  await expectOrder()
  const before = (await get(`${API_KEYS_URL}?sort=last_used_at`)).json()
  const rows = await countOfRows()
  while ((await unfoldedRows()) > 0) await foldKeyUse(db)
  expect(await countOfRows()).toBeLessThan(rows)
  await expectOrder()
  expect((await get(`${API_KEYS_URL}?sort=last_used_at`)).json()).toEqual(before)
})

test('days that ended long ago are kept before they are folded', async () => {
  await sql`delete from api_keys_last_used`.execute(db)
  await sql`update api_keys_last_used_until set day = ${dayBefore(400)}::date`.execute(db)
  const unfolded = await unfoldedRows()
  await foldKeyUse(db)
  expect(await unfoldedRows()).toBe(unfolded)
  await keepAll()
  await foldKeyUse(db)
  expect(await unfoldedRows()).toBeLessThan(unfolded)
  await expectOrder()
})

test('a restored key and a restored tenant have their calls of days that were kept in between', async () => {
  const used = await db
    .selectFrom('api_key_outcomes')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_id')
    .select(['api_keys.id', 'tenant_id'])
    .where('day', '=', dayBefore(2))
    .where('outcome', '=', 'valid')
    .orderBy('api_keys.id')
    .execute()
  const [key] = used
  const tenant = used.find(({ tenant_id }) => tenant_id !== key?.tenant_id)?.tenant_id ?? ''
  await call({ method: 'DELETE', url: `${API_KEYS_URL}/${key?.id}` })
  await call({ method: deleteTenant.method, url: deleteTenant.url.replace(':id', tenant) })
  await keepAll()
  await expectOrder()
  expect((await call({ method: 'POST', url: `${API_KEYS_URL}/${key?.id}/restore` })).statusCode).toBe(200)
  const restored = await call({ method: restoreTenant.method, url: restoreTenant.url.replace(':id', tenant) })
  expect(restored.statusCode).toBe(200)
  await expectOrder()
})

test('a day is kept after the end of a restore of its calls', async () => {
  const unkept = await unkeptDays()
  const { id } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('api_key_outcomes')
      .values({ api_key_id: id, day: dayBefore(2), outcome: 'valid', count: 1, last_at: new Date(now - 2 * DAY_MS) })
      .execute()
    await keepLastUses(db)
    expect(await unkeptDays()).toEqual(unkept)
  })
  await keepAll()
  await expectOrder()
})

test('a day is kept after the end of a deletion that holds one of its keys', async () => {
  const [day] = (await unkeptDays()).toSorted()
  await db.transaction().execute(async (trx) => {
    const key = sql<string>`(select api_key_id from api_key_outcomes where day = ${day}::date and outcome = 'valid' limit 1)`
    await trx.selectFrom('api_keys').select('id').where('id', '=', key).forUpdate().execute()
    await keepLastUses(db)
    await keepLastUses(db)
    expect(await unkeptDays()).toContain(day)
  })
  await keepLastUses(db)
  expect(await unkeptDays()).not.toContain(day)
  await keepAll()
  await expectOrder()
})

test('calls count after a clock that ran ahead has ended their day', async () => {
  await keepAll()
  await sql`update api_keys_last_used_until set day = ${dayBefore(-1)}::date`.execute(db)
  const { id } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
  await db
    .insertInto('api_key_outcomes')
    .values({ api_key_id: id, day: dayBefore(0), outcome: 'valid', count: 1, last_at: new Date(now) })
    .execute()
  await keepLastUses(db)
  await expectOrder()
})
