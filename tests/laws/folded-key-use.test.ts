import { API_KEYS_URL } from '@switchboard/contract/api-keys'
import { getTrends } from '@switchboard/contract/dashboard'
import type { Trends } from '@switchboard/contract/dashboard/trends'
import { deleteTenant, restoreTenant, tenantList, updateTenant } from '@switchboard/contract/tenants'
import { DAY_MS } from '@switchboard/contract/wire/days'
import { recount } from '@switchboard/database/recount'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { foldKeyCalls } from '#apps/worker/src/api-keys/old-key-use.queries.ts'

// Calls that are folded into days and months change no figure of the API.

const DAYS = 425
const INACTIVE_DAYS = 140

const api = await startTestApi()
const { db, clock } = api
const now = Date.now()

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

// Two hours of each day.
await sql`
  insert into api_key_calls (api_key_id, environment, since, outcome, count, last_at)
  select id, environment, since, outcome, 1 + hashtext(id::text || since || outcome) & 63, since + interval '20 minutes'
  from api_keys
  cross join generate_series(current_date - ${DAYS}::int, current_date, interval '1 day') as days (day)
  cross join (values (0), (11)) as hours (hour)
  cross join lateral (select day at time zone 'UTC' + hour * interval '1 hour' as since) as hourly
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

async function trends(): Promise<Trends> {
  const answer = await call({ method: 'GET', url: `${getTrends.url}?days=366` })
  return getTrends.schema.response[200].parse(answer.json())
}

/** The answers of all lists, details and charts that show use of keys. */
async function figures() {
  const analytics = '/api/v1/admin/analytics'
  const urls = [
    ...['calls', '-calls', '-refused'].map((sort) => `${API_KEYS_URL}?limit=100&sort=${sort}`),
    ...[old, live, testKey, refused].flatMap(({ id }) => [
      `${API_KEYS_URL}/${id}/record`,
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
  return { answers: await Promise.all(urls.map(async (url) => [url, await answered(url)])), trends: await trends() }
}

/** Rows that have kept their hour or their day for too long. */
async function unfoldedRows(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_key_calls
    where (unit = 'hour' and since < date_trunc('day', now(), 'UTC') - interval '1 day')
      or (unit = 'day' and since < date_trunc('month', now() - interval '90 days', 'UTC'))`.execute(db)
  return rows[0]?.count ?? 0
}

test('hours become days and days become months, and no figure changes', async () => {
  const before = await figures()
  expect(before.trends.total.accepted).toBeGreaterThan(10_000)
  // As two workers at once.
  while ((await unfoldedRows()) > 0) await Promise.all([foldKeyCalls(db), foldKeyCalls(db)])
  expect(await figures()).toEqual(before)
  const rows = await db
    .selectFrom('api_key_calls')
    .select('unit')
    .where('api_key_id', '=', live.id)
    .where('outcome', '=', 'valid')
    .execute()
  const countOf = (unit: string) => rows.filter((row) => row.unit === unit).length
  expect(countOf('month')).toBeLessThanOrEqual(12)
  expect(countOf('day')).toBeLessThanOrEqual(122)
  expect(countOf('hour')).toBeLessThanOrEqual(48)
  expect(await recount(db)).toEqual([])
})

test('the deletion and the restore of a tenant change open days of the trends only, and none falls below zero', async () => {
  const before = await trends()
  await call({ method: deleteTenant.method, url: deleteTenant.url.replace(':id', active.id) })
  const without = await trends()
  expect(without.total.accepted).toBeLessThan(before.total.accepted)
  expect(Math.min(...without.days.flatMap((day) => [day.accepted, day.refused]))).toBe(0)
  expect(await recount(db)).toEqual([])
  await call({ method: restoreTenant.method, url: restoreTenant.url.replace(':id', active.id) })
  expect(await trends()).toEqual(before)
  expect(await recount(db)).toEqual([])
})
