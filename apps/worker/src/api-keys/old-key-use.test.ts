import { dayOf, DAY_MS } from '@switchboard/contract/wire/days'
import { recount } from '@switchboard/database/recount'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { deleteOldOrigins, foldKeyCalls } from './old-key-use.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

const newKey = async () => (await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })).id
const HOUR_MS = 3_600_000
const today = Date.parse(dayOf(Date.now()))
/** A time of a day before today in UTC. */
const ago = (days: number, hour = 0) => new Date(today - days * DAY_MS + hour * HOUR_MS)
const callsOf = async (id: string) =>
  await db
    .selectFrom('api_key_calls')
    .select(['since', 'unit', 'outcome', 'count', 'last_at'])
    .where('api_key_id', '=', id)
    .orderBy('since')
    .orderBy('outcome')
    .execute()
const trends = async () => {
  const { rows } = await sql`
    select facet, value, sum(count) as count from counters where noun = 'api_key_calls'
    group by 1, 2 having sum(count) <> 0 order by 1, 2`.execute(db)
  return rows
}

test('hours before yesterday become days, and no trend changes', async () => {
  const id = await newKey()
  for (const hour of [0, 9, 9, 23]) await makeCalls(db, id, 'valid', { at: ago(2, hour), count: 5 })
  await makeCalls(db, id, 'expired', { at: ago(2, 4) })
  await makeCalls(db, id, 'valid', { at: ago(1, 23) })
  await makeCalls(db, id, 'valid', { at: ago(0) })
  const before = await trends()
  await Promise.all([foldKeyCalls(db), foldKeyCalls(db)])
  await foldKeyCalls(db)
  const [since, hour] = [ago(2).toISOString(), 'hour']
  expect(await callsOf(id)).toEqual([
    { since, unit: 'day', outcome: 'expired', count: 1, last_at: ago(2, 4).toISOString() },
    { since, unit: 'day', outcome: 'valid', count: 20, last_at: ago(2, 23).toISOString() },
    ...[ago(1, 23), ago(0)]
      .map((at) => at.toISOString())
      .map((at) => ({ since: at, unit: hour, outcome: 'valid', count: 1, last_at: at })),
  ])
  expect(await trends()).toEqual(before)
  expect(await recount(db)).toEqual([])
})

test('days become months 90 days after the end of the month, and late hours are added', async () => {
  const id = await newKey()
  const { rows } = await sql<{ first: string; last: string }>`
    select (first_open_day() - interval '1 month')::date as first, first_open_day() - 1 as last`.execute(db)
  const { first = '', last = '' } = rows[0] ?? {}
  const open = new Date(Date.parse(last) + DAY_MS)
  for (const day of [first, last]) await makeCalls(db, id, 'valid', { at: new Date(`${day}T10:00:00Z`), count: 3 })
  await makeCalls(db, id, 'valid', { at: open })
  await foldKeyCalls(db)
  const month = { since: `${first}T00:00:00.000Z`, unit: 'month', count: 6, last_at: `${last}T10:00:00.000Z` }
  expect(await callsOf(id)).toMatchObject([month, { since: open.toISOString(), unit: 'day', count: 1 }])
  await makeCalls(db, id, 'valid', { at: new Date(`${first}T00:30:00Z`) })
  await makeCalls(db, id, 'valid', { at: new Date(`${last}T23:30:00Z`) })
  await foldKeyCalls(db)
  expect(await callsOf(id)).toMatchObject([{ ...month, count: 8, last_at: `${last}T23:30:00.000Z` }, { count: 1 }])
  expect(await recount(db)).toEqual([])
})

test('calls of a key that is being deleted are left to a later fold', async () => {
  const id = await newKey()
  await makeCalls(db, id, 'valid', { at: ago(3, 5) })
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('api_keys').select('id').where('id', '=', id).forUpdate().execute()
    await foldKeyCalls(db)
    expect(await callsOf(id)).toMatchObject([{ unit: 'hour' }])
  })
  await foldKeyCalls(db)
  expect(await callsOf(id)).toMatchObject([{ unit: 'day' }])
})

test('refused origins are deleted 30 days after their last call', async () => {
  const api_key_id = await newKey()
  const origin = (name: string, days: number) => ({ api_key_id, origin: name, count: 1, last_at: ago(days) })
  await db
    .insertInto('api_key_refused_origins')
    .values([origin('https://new.example', 28), origin('https://old.example', 31)])
    .execute()
  await deleteOldOrigins(db)
  const origins = await db.selectFrom('api_key_refused_origins').select('origin').execute()
  expect(origins).toEqual([{ origin: 'https://new.example' }])
})
