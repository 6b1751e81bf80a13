import { randomUUID } from 'node:crypto'
import { connect } from '@switchboard/database/connection/connect'
import { recount } from '@switchboard/database/recount'
import { createLogger } from '@switchboard/server/process/log'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { addUsage, type KeyCalls, type UsageBatch } from './key-usage.queries.ts'
import { createKeyUsage } from './key-usage.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

const HOUR_MS = 3_600_000
const { tenant_id, id: hotKey } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
const newKey = async () => (await makeApiKey(db, { tenant_id })).id
const valid = (id: string, fields: Partial<KeyCalls> = {}): KeyCalls => ({
  id,
  outcome: 'valid',
  count: 1,
  ageMs: 0,
  ...fields,
})
const add = async (batch: Partial<UsageBatch>, at = db) => await addUsage(at, { calls: [], origins: [], ...batch })
const callsOf = async (id: string) =>
  await db
    .selectFrom('api_key_calls')
    .select(['since', 'outcome', 'count', 'last_at'])
    .where('api_key_id', '=', id)
    .orderBy('since')
    .execute()
const counted = async (id: string) => (await callsOf(id)).reduce((sum, { count }) => sum + count, 0)
const lastUse = async (id: string) => {
  const key = await db
    .selectFrom('api_keys')
    .select(['last_used_at', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...key, age: key.last_used_at === null ? null : Date.now() - Date.parse(key.last_used_at) }
}

test('calls are added to the hour of the latest one', async () => {
  const id = await newKey()
  await add({ calls: [valid(id, { count: 3, ageMs: 2 * HOUR_MS }), valid(id, { outcome: 'expired', ageMs: HOUR_MS })] })
  await add({ calls: [valid(id, { count: 4, ageMs: 2 * HOUR_MS })] })
  const calls = await callsOf(id)
  expect(calls).toMatchObject([
    { outcome: 'valid', count: 7 },
    { outcome: 'expired', count: 1 },
  ])
  for (const { since, last_at } of calls) expect(since).toBe(`${last_at.slice(0, 13)}:00:00.000Z`)
})

test('a batch that is sent again counts once, and counts when its first transaction was rolled back', async () => {
  const id = await newKey()
  const batch: UsageBatch = { calls: [valid(id)], origins: [] }
  await addUsage(db, batch)
  await addUsage(db, batch)
  expect(await counted(id)).toBe(1)

  const undone: UsageBatch = { calls: [valid(id)], origins: [] }
  const trx = await db.startTransaction().execute()
  await addUsage(trx, undone)
  await expect(addUsage(db, undone)).rejects.toThrow('has not ended')
  await trx.rollback().execute()
  await addUsage(db, undone)
  expect(await counted(id)).toBe(2)
})

test('50 processes count every call of a hot key once, in any order, without a deadlock', async () => {
  const keys = [hotKey]
  for (let n = 0; n < 20; n += 1) keys.push(await newKey())
  // Without the limits of requests: a deadlock is an error, and a wait for a row ends after 200 ms.
  const many = connect(url, { max: 20, isPatient: true })
  const refusals: unknown[] = []
  const process = async (n: number) => {
    const calls = (n % 2 === 0 ? keys : keys.toReversed()).map((id) => valid(id, { ageMs: n }))
    for (let rounds = 0; rounds < 3;) {
      try {
        await add({ calls }, many)
        rounds += 1
      } catch (error) {
        refusals.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: 50 }, (_, n) => process(n)))
  await many.destroy()
  expect(refusals.filter((error) => !String(error).includes('lock timeout'))).toEqual([])
  for (const id of keys) expect(await counted(id)).toBe(150)
  expect(await recount(db)).toEqual([])
})

test('a write gives up after 200 ms when rows are locked, and its calls are counted with a later write', async () => {
  const id = await newKey()
  await add({ calls: [valid(id)] })
  const usage = createKeyUsage(db, createLogger('silent'))
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('api_key_calls').selectAll().where('api_key_id', '=', id).forUpdate().execute()
    await expect(add({ calls: [valid(id)] })).rejects.toThrow('lock timeout')
    usage.count(id, 'valid', undefined)
    await expect.poll(usage.unwrittenAge).toBeGreaterThan(2_500)
    usage.count(id, 'valid', undefined)
    expect(usage.unwritten()).toBe(2)
  })
  await expect.poll(() => usage.unwritten()).toBe(0)
  expect(await counted(id)).toBe(3)
  await usage.stop()
})

test('the last use is the last accepted call, and moves forward when it is older than an hour', async () => {
  const id = await newKey()
  await add({ calls: [valid(id, { outcome: 'disabled' })] })
  expect(await lastUse(id)).toMatchObject({ last_used_at: null })
  await add({ calls: [valid(id, { ageMs: 1.5 * HOUR_MS })] })
  const first = await lastUse(id)
  expect(first.age).toBeGreaterThan(1.4 * HOUR_MS)
  await add({ calls: [valid(id, { ageMs: 0.6 * HOUR_MS })] })
  expect(await lastUse(id)).toMatchObject({ last_used_at: first.last_used_at })
  await add({ calls: [valid(id)] })
  expect((await lastUse(id)).age).toBeLessThan(HOUR_MS / 10)
  await db
    .updateTable('api_keys')
    .set({ last_used_at: new Date(Date.now() + HOUR_MS) })
    .where('id', '=', id)
    .execute()
  await add({ calls: [valid(id)] })
  expect((await lastUse(id)).age).toBeGreaterThanOrEqual(0)
})

test('a last use is no change of the key: nothing is counted, and the version stays', async () => {
  const id = await newKey()
  const counters = async () => (await sql`select from counters where noun = 'api_keys'`.execute(db)).rows.length
  const before = await counters()
  await add({ calls: [valid(id)] })
  expect(await lastUse(id)).toMatchObject({ version: 1, last_used_at: expect.any(String) })
  expect(await counters()).toBe(before)
  expect(await recount(db)).toEqual([])
})

test('deleted keys are skipped, and the other keys are counted', async () => {
  const id = await newKey()
  const deleted = randomUUID()
  await add({ calls: [valid(deleted), valid(id)] })
  expect([await counted(id), await counted(deleted)]).toEqual([1, 0])
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

test('a refused origin of an older call does not move its last time back', async () => {
  const id = await newKey()
  await add({ origins: [refused(id, 'https://a.example')] })
  const [before] = await originsOf(id)
  await add({ origins: [refused(id, 'https://a.example', 1, 60_000)] })
  expect(await originsOf(id)).toEqual([{ origin: 'https://a.example', count: 2, last_at: before?.last_at }])
})

test('a key has at most 20 refused origins: the newest and the most frequent', async () => {
  const id = await newKey()
  const frequent = Array.from({ length: 12 }, (_, n) =>
    refused(id, `https://frequent-${n}.example`, 100 + n, 3_600_000),
  )
  await add({ origins: frequent })
  for (let round = 0; round < 5; round += 1)
    await add({ origins: Array.from({ length: 40 }, (_, n) => refused(id, `https://${round}-${n}.example`)) })
  const origins = await originsOf(id)
  expect(origins).toHaveLength(20)
  expect(origins.slice(0, 10).map(({ origin }) => origin)).toEqual(
    Array.from({ length: 10 }, (_, n) => `https://frequent-${11 - n}.example`),
  )
  expect(origins.slice(10).every(({ origin }) => origin?.startsWith('https://4-'))).toBe(true)
})

test('refused origins of a deleted key are skipped, and hostile text is stored as it is', async () => {
  const id = await newKey()
  const hostile = `https://a.example/'"\\{},$1;--`
  await add({ origins: [refused(randomUUID(), 'https://a.example'), refused(id, hostile)] })
  expect(await originsOf(id)).toMatchObject([{ origin: hostile, count: 1 }])
})
