import { randomUUID } from 'node:crypto'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { type UsageBatch, writeUsage } from './api-keys.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

const key = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
const batch = (fields: Partial<UsageBatch> = {}): UsageBatch => ({
  writer: randomUUID(),
  number: 1,
  usages: [{ id: key.id, outcome: 'valid', count: 1, ageMs: 0 }],
  ...fields,
})
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
  await writeUsage(db, sent)
  await writeUsage(db, sent)
  expect(await counted()).toBe(before + 1)
  await writeUsage(db, { ...sent, number: 2 })
  expect(await counted()).toBe(before + 2)
})

test('concurrent batches of many processes lose no counts and do not deadlock', async () => {
  const keys = [key]
  for (let n = 0; n < 20; n += 1) keys.push(await makeApiKey(db, { tenant_id: key.tenant_id }))
  const before = await counted()
  const batches = Array.from({ length: 30 }, (_, n) => {
    const order = n % 2 === 0 ? keys : keys.toReversed()
    return batch({ usages: order.map(({ id }) => ({ id, outcome: 'valid', count: 1, ageMs: n })) })
  })
  await Promise.all(batches.map((each) => writeUsage(db, each)))
  expect(await counted()).toBe(before + 30)
})

test('deleted keys are skipped, and the other keys are counted', async () => {
  const deleted = randomUUID()
  const before = await counted()
  const usages = [deleted, key.id].map((id) => ({ id, outcome: 'valid' as const, count: 1, ageMs: 0 }))
  await writeUsage(db, batch({ usages }))
  expect(await counted()).toBe(before + 1)
  expect(await db.selectFrom('api_key_outcomes').selectAll().where('api_key_id', '=', deleted).execute()).toEqual([])
})
