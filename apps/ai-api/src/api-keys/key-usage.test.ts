import { randomUUID } from 'node:crypto'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { foldUsage, type UsageBatch, writeUsage } from './api-keys.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

const key = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
const live = { environment: 'live' as const }
const batch = (fields: Partial<UsageBatch> = {}): UsageBatch => ({
  writer: randomUUID(),
  number: 1,
  usages: [{ ...live, id: key.id, outcome: 'valid', count: 1, ageMs: 0 }],
  hours: [],
  origins: [],
  ...fields,
})
const count = async (sent: UsageBatch) => {
  await writeUsage(db, sent)
  await foldUsage(db)
}
const counted = async () => {
  const row = await db
    .selectFrom('api_key_outcomes')
    .select('count')
    .where('api_key_id', '=', key.id)
    .executeTakeFirst()
  return row?.count ?? 0
}

test('a batch sent twice counts once, and the next batch of the same writer counts again', async () => {
  const before = await counted()
  const sent = batch()
  await count(sent)
  await count(sent)
  expect(await counted()).toBe(before + 1)
  await count({ ...sent, number: 2 })
  expect(await counted()).toBe(before + 2)
})

test('concurrent batches of many processes lose no counts and do not deadlock', async () => {
  const keys = [key]
  for (let n = 0; n < 20; n += 1) keys.push(await makeApiKey(db, { tenant_id: key.tenant_id }))
  const before = await counted()
  const batches = Array.from({ length: 30 }, (_, n) => {
    const order = n % 2 === 0 ? keys : keys.toReversed()
    return batch({ usages: order.map(({ id }) => ({ ...live, id, outcome: 'valid', count: 1, ageMs: n })) })
  })
  await Promise.all(batches.map((each) => writeUsage(db, each)))
  expect(await counted()).toBe(before + 30)
})

test('deleted keys are skipped, and the other keys are counted', async () => {
  const deleted = randomUUID()
  const before = await counted()
  const usages = [deleted, key.id].map((id) => ({ ...live, id, outcome: 'valid' as const, count: 1, ageMs: 0 }))
  await count(batch({ usages }))
  expect(await counted()).toBe(before + 1)
  expect(await db.selectFrom('api_key_outcomes').selectAll().where('api_key_id', '=', deleted).execute()).toEqual([])
})

const originsOf = async (id: string) =>
  await db
    .selectFrom('api_key_refused_origins')
    .select(['origin', 'count', 'last_at'])
    .where('api_key_id', '=', id)
    .orderBy('count', 'desc')
    .orderBy('origin')
    .execute()
const refused = (id: string, origin: string | null, count = 1, ageMs = 0) => ({ id, origin, count, ageMs })

test('a batch sent twice counts its hour and its refused origins once', async () => {
  const { id } = await makeApiKey(db, { tenant_id: key.tenant_id })
  const sent = batch({
    usages: [{ ...live, id, outcome: 'origin_refused', count: 3, ageMs: 0 }],
    hours: [{ id, outcome: 'origin_refused', count: 3 }],
    origins: [refused(id, 'https://a.example', 2), refused(id, null)],
  })
  await count(sent)
  await count(sent)
  const hours = async () =>
    await db.selectFrom('api_key_hours').select(['outcome', 'count']).where('api_key_id', '=', id).execute()
  expect(await hours()).toEqual([{ outcome: 'origin_refused', count: 3 }])
  expect(await originsOf(id)).toMatchObject([
    { origin: 'https://a.example', count: 2 },
    { origin: null, count: 1 },
  ])
  await count({ ...sent, number: 2 })
  expect(await hours()).toEqual([{ outcome: 'origin_refused', count: 6 }])
  expect(await originsOf(id)).toMatchObject([
    { origin: 'https://a.example', count: 4 },
    { origin: null, count: 2 },
  ])
})

test('a refused origin of an older call does not move its last time back', async () => {
  const { id } = await makeApiKey(db, { tenant_id: key.tenant_id })
  await count(batch({ origins: [refused(id, 'https://a.example')] }))
  const [before] = await originsOf(id)
  await count(batch({ origins: [refused(id, 'https://a.example', 1, 60_000)] }))
  expect(await originsOf(id)).toEqual([{ origin: 'https://a.example', count: 2, last_at: before?.last_at }])
})

test('a key has at most 20 refused origins: the newest and the most frequent', async () => {
  const { id } = await makeApiKey(db, { tenant_id: key.tenant_id })
  const frequent = Array.from({ length: 12 }, (_, n) =>
    refused(id, `https://frequent-${n}.example`, 100 + n, 3_600_000),
  )
  await count(batch({ origins: frequent }))
  for (let round = 0; round < 5; round += 1)
    await count(batch({ origins: Array.from({ length: 40 }, (_, n) => refused(id, `https://${round}-${n}.example`)) }),
    )
  const origins = await originsOf(id)
  expect(origins).toHaveLength(20)
  expect(origins.slice(0, 10).map(({ origin }) => origin)).toEqual(
    Array.from({ length: 10 }, (_, n) => `https://frequent-${11 - n}.example`),
  )
  expect(origins.slice(10).every(({ origin }) => origin?.startsWith('https://4-'))).toBe(true)
})

test('hours and refused origins of a deleted key are skipped, and hostile text is stored as it is', async () => {
  const { id } = await makeApiKey(db, { tenant_id: key.tenant_id })
  const hostile = `https://a.example/'"\\{},$1;--`
  const deleted = randomUUID()
  const usages = [{ ...live, id: deleted, outcome: 'origin_refused' as const, count: 1, ageMs: 0 }]
  const hours = [deleted, id].map((each) => ({ id: each, outcome: 'origin_refused' as const, count: 1 }))
  await count(batch({ usages, hours, origins: [refused(deleted, 'https://a.example'), refused(id, hostile)] }))
  expect(await originsOf(id)).toMatchObject([{ origin: hostile, count: 1 }])
  expect(await db.selectFrom('api_key_hours').select('count').where('api_key_id', '=', id).execute()).toEqual([
    { count: 1 },
  ])
})
