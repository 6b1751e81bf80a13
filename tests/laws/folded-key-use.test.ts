import { API_KEYS_URL } from '@switchboard/contract/api-keys'
import { getTrends } from '@switchboard/contract/dashboard'
import type { Trends } from '@switchboard/contract/dashboard/trends'
import { deleteTenant, restoreTenant, tenantList, updateTenant } from '@switchboard/contract/tenants'
import { dayOf, DAY_MS } from '@switchboard/contract/wire/days'
import { recount } from '@switchboard/database/recount'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { foldKeyUse } from '#apps/worker/src/api-keys/old-key-use.queries.ts'

// Key use that is folded into months changes no figure of the API.

const DAYS = 425
const INACTIVE_DAYS = 140

const api = await startTestApi()
const { db, clock } = api
const now = Date.now()
const dayBefore = (days: number) => dayOf(now - days * DAY_MS)

const active = await makeTenant(db)
const old = await makeApiKey(db, {
  tenant_id: active.id,
  rotated_at: new Date(now - 200 * DAY_MS),
  calls_before_rotation: 40,
})
const live = await makeApiKey(db, { tenant_id: active.id, rotated_from: old.id })
const testKey = await makeApiKey(db, { tenant_id: active.id, environment: 'test' })
const inactive = await makeTenant(db)
const refused = await makeApiKey(db, { tenant_id: inactive.id })

clock.at = new Date(now - INACTIVE_DAYS * DAY_MS)
const { call: callBefore } = await api.signIn()
await callBefore({ method: 'PUT', url: updateTenant.url.replace(':id', inactive.id), body: { status: 'inactive' } })
clock.at = new Date(now)
const { call } = await api.signIn()

await sql`
  insert into api_key_outcomes (api_key_id, environment, day, outcome, count, last_at)
  select id, environment, day, outcome, 1 + hashtext(id::text || day || outcome) & 63, (day + time '11:22:33') at time zone 'UTC'
  from api_keys
  cross join generate_series(current_date - ${DAYS}::int, current_date, interval '1 day') as days (at)
  cross join lateral (select at::date as day) as dated
  cross join (values ('valid'), ('tenant_inactive'), ('expired'), ('origin_refused')) as outcomes (outcome)
  where case outcome
    when 'valid' then id <> ${refused.id} or day < current_date - ${INACTIVE_DAYS}::int
    when 'tenant_inactive' then id = ${refused.id} and day >= current_date - ${INACTIVE_DAYS}::int
    when 'expired' then id = ${old.id} and day >= current_date - 190
    else extract(day from day) % 4 = 0
  end`.execute(db)

async function answered(url: string): Promise<unknown> {
  const answer = await call({ method: 'GET', url })
  expect(answer.statusCode, url).toBe(200)
  return answer.json()
}

async function trends(from: string, to: string): Promise<Trends> {
  const answer = await call({ method: 'GET', url: `${getTrends.url}?from=${from}&to=${to}` })
  return getTrends.schema.response[200].parse(answer.json())
}

/** The answers of all lists, details and charts that show use of keys. */
async function figures() {
  const analytics = '/api/v1/admin/analytics'
  const urls = [
    ...['calls', '-calls', '-refused'].map((sort) => `${API_KEYS_URL}?limit=100&sort=${sort}`),
    ...[old, live, testKey, refused].flatMap(({ id }) => [
      `${API_KEYS_URL}/key/${id}`,
      `${API_KEYS_URL}/${id}/diagnosis`,
    ]),
    ...[active, inactive].flatMap(({ id }) => [
      `${API_KEYS_URL}/${id}`,
      ...['health', 'calls'].map((part) => `${tenantList.list.url}/${id}/${part}`),
    ]),
    `${tenantList.list.url}?limit=100`,
    `${analytics}/attention`,
    `${analytics}/first-steps`,
  ]
  return {
    answers: await Promise.all(urls.map(async (url) => [url, await answered(url)])),
    trends: [await trends(dayBefore(365), dayBefore(0)), await trends(dayBefore(300), dayBefore(271))],
  }
}

/** Rows of folded months that have kept their day. */
async function unfoldedRows(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_key_outcomes
    where day < date_trunc('month', current_date - 90) and extract(day from day) > 1`.execute(db)
  return rows[0]?.count ?? 0
}

/** Folds as two workers at once. */
async function foldAll(): Promise<void> {
  while ((await unfoldedRows()) > 0) await Promise.all([foldKeyUse(db), foldKeyUse(db)])
}

test('days of closed months become months, and no figure changes', async () => {
  const before = await figures()
  expect(before.trends[0]?.total).toMatchObject({ accepted: expect.toSatisfy((count: number) => count > 10_000) })
  await foldAll()
  expect(await figures()).toEqual(before)
  const { rows } = await sql`
    select from api_key_outcomes where api_key_id = ${live.id} and outcome = 'valid' and day < date_trunc('month', current_date - 90)`.execute(
    db,
  )
  expect(rows.length).toBeLessThanOrEqual(12)
  expect(await recount(db)).toEqual([])
})

test('a day that is written late is folded by the next pass', async () => {
  await foldAll()
  for (const outcome of ['valid', 'revoked'] as const)
    await db
      .insertInto('api_key_outcomes')
      .values({ api_key_id: live.id, day: dayBefore(250), outcome, count: 5, last_at: new Date(now - 250 * DAY_MS) })
      .execute()
  const before = await figures()
  await foldAll()
  expect(await figures()).toEqual(before)
  expect(await recount(db)).toEqual([])
})

test('use of a key that is being deleted is left to a later pass', async () => {
  await foldAll()
  const day = dayBefore(260)
  await db
    .insertInto('api_key_outcomes')
    .values({ api_key_id: live.id, day, outcome: 'disabled', count: 5, last_at: new Date(now) })
    .execute()
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('api_keys').select('id').where('id', '=', live.id).forUpdate().execute()
    await foldKeyUse(db)
    expect(await unfoldedRows()).toBe(1)
  })
  await foldKeyUse(db)
  expect(await unfoldedRows()).toBe(0)
})

test('a deleted tenant takes its folded use from the days of the trends, and a restored one brings it back', async () => {
  await foldAll()
  const [from, to] = [dayBefore(365), dayBefore(0)]
  const before = await trends(from, to)
  await call({ method: deleteTenant.method, url: deleteTenant.url.replace(':id', active.id) })
  const without = await trends(from, to)
  expect(without.total.accepted).toBeLessThan(before.total.accepted)
  expect(Math.min(...without.days.flatMap(({ accepted, refused: count }) => [accepted, count]))).toBeGreaterThanOrEqual(
    0,
  )
  expect(await recount(db)).toEqual([])
  await call({ method: restoreTenant.method, url: restoreTenant.url.replace(':id', active.id) })
  expect(await recount(db)).toEqual([])
})
