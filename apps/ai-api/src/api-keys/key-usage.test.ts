import { randomUUID } from 'node:crypto'
import { connect } from '@switchboard/database/connection/connect'
import { createLogger } from '@switchboard/server/process/log'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { foldUsage, type UsageBatch, writeUsage } from './key-usage.queries.ts'
import { createKeyUsage } from './key-usage.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
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
const addUp = async (sent: UsageBatch) => {
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
  await addUp(sent)
  await addUp(sent)
  expect(await counted()).toBe(before + 1)
  await addUp({ ...sent, number: 2 })
  expect(await counted()).toBe(before + 2)
})

test('50 processes that send each batch twice and fold at once count every call of a hot key once, without a deadlock', async () => {
  const keys = [key]
  for (let n = 0; n < 20; n += 1) keys.push(await makeApiKey(db, { tenant_id: key.tenant_id }))
  const before = await counted()
  const many = connect(url, { max: 20 })
  const runProcess = async (n: number) => {
    const writer = randomUUID()
    const order = n % 2 === 0 ? keys : keys.toReversed()
    for (let number = 1; number <= 3; number += 1) {
      const usages = order.map(({ id }) => ({ ...live, id, outcome: 'valid' as const, count: 1, ageMs: n }))
      const sent = batch({ writer, number, usages })
      await Promise.all([writeUsage(many, sent), writeUsage(many, sent)])
      await foldUsage(many)
    }
  }
  await Promise.all(Array.from({ length: 50 }, (_, n) => runProcess(n)))
  await many.destroy()
  await foldUsage(db)
  expect(await counted()).toBe(before + 150)
})

const lockWaits = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count
}

test('no process waits while another one adds up a hot key', async () => {
  await addUp(batch())
  const before = await counted()
  await writeUsage(db, batch())
  let slowFold: Promise<number> | undefined
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('api_key_outcomes').selectAll().where('api_key_id', '=', key.id).forUpdate().execute()
    slowFold = foldUsage(db)
    await expect.poll(lockWaits).toBe(1)
    const process = async () => {
      await writeUsage(db, batch())
      expect(await foldUsage(db)).toBe(0)
    }
    await Promise.all(Array.from({ length: 50 }, process))
  })
  expect(await slowFold).toBe(1)
  await foldUsage(db)
  expect(await counted()).toBe(before + 51)
})

test('another process adds up the batch of a killed one', async () => {
  const before = await counted()
  await writeUsage(db, batch())
  const usage = createKeyUsage(db, createLogger('silent'))
  await expect.poll(counted).toBe(before + 1)
  await usage.stop()
})

test('a batch added up days later counts today, with its own last time: ended days do not change', async () => {
  const { id } = await makeApiKey(db, { tenant_id: key.tenant_id })
  await writeUsage(db, batch({ usages: [{ ...live, id, outcome: 'valid', count: 3, ageMs: 1_000 }] }))
  await sql`update api_key_use_batches set at = '2026-11-01T10:00:00Z'`.execute(db)
  await foldUsage(db)
  const { rows } = await sql`
    select day >= ((now() - interval '30 minutes') at time zone 'UTC')::date as is_today, count, last_at from api_key_outcomes
    where api_key_id = ${id}`.execute(db)
  expect(rows).toEqual([{ is_today: true, count: 3, last_at: '2026-11-01T09:59:59.000Z' }])
})

test('deleted keys are skipped, and the other keys are counted', async () => {
  const deleted = randomUUID()
  const before = await counted()
  const usages = [deleted, key.id].map((id) => ({ ...live, id, outcome: 'valid' as const, count: 1, ageMs: 0 }))
  await addUp(batch({ usages }))
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
  await addUp(sent)
  await addUp(sent)
  const hours = async () =>
    await db.selectFrom('api_key_hours').select(['outcome', 'count']).where('api_key_id', '=', id).execute()
  expect(await hours()).toEqual([{ outcome: 'origin_refused', count: 3 }])
  expect(await originsOf(id)).toMatchObject([
    { origin: 'https://a.example', count: 2 },
    { origin: null, count: 1 },
  ])
  await addUp({ ...sent, number: 2 })
  expect(await hours()).toEqual([{ outcome: 'origin_refused', count: 6 }])
  expect(await originsOf(id)).toMatchObject([
    { origin: 'https://a.example', count: 4 },
    { origin: null, count: 2 },
  ])
})

test('a refused origin of an older call does not move its last time back', async () => {
  const { id } = await makeApiKey(db, { tenant_id: key.tenant_id })
  await addUp(batch({ origins: [refused(id, 'https://a.example')] }))
  const [before] = await originsOf(id)
  await addUp(batch({ origins: [refused(id, 'https://a.example', 1, 60_000)] }))
  expect(await originsOf(id)).toEqual([{ origin: 'https://a.example', count: 2, last_at: before?.last_at }])
})

test('a key has at most 20 refused origins: the newest and the most frequent', async () => {
  const { id } = await makeApiKey(db, { tenant_id: key.tenant_id })
  const frequent = Array.from({ length: 12 }, (_, n) =>
    refused(id, `https://frequent-${n}.example`, 100 + n, 3_600_000),
  )
  await addUp(batch({ origins: frequent }))
  for (let round = 0; round < 5; round += 1)
    await addUp(batch({ origins: Array.from({ length: 40 }, (_, n) => refused(id, `https://${round}-${n}.example`)) }))
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
  await addUp(batch({ usages, hours, origins: [refused(deleted, 'https://a.example'), refused(id, hostile)] }))
  expect(await originsOf(id)).toMatchObject([{ origin: hostile, count: 1 }])
  expect(await db.selectFrom('api_key_hours').select('count').where('api_key_id', '=', id).execute()).toEqual([
    { count: 1 },
  ])
})
