import { randomUUID } from 'node:crypto'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { type UseBatch, writeUse } from './api-keys.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

const key = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
const batch = (fields: Partial<UseBatch> = {}): UseBatch => ({
  writer: randomUUID(),
  number: 1,
  uses: [{ id: key.id, outcome: 'valid', count: 1, ageMs: 0 }],
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

test('a repeated batch counts once, the next batch of its writer counts again', async () => {
  const before = await counted()
  const one = batch()
  await writeUse(db, one)
  await writeUse(db, one)
  expect(await counted()).toBe(before + 1)
  await writeUse(db, { ...one, number: 2 })
  expect(await counted()).toBe(before + 2)
})

test('batches of many processes at once lose nothing and do not block each other', async () => {
  const keys = [key]
  for (let n = 0; n < 20; n += 1) keys.push(await makeApiKey(db, { tenant_id: key.tenant_id }))
  const before = await counted()
  const batches = Array.from({ length: 30 }, (_, n) => {
    const order = n % 2 === 0 ? keys : keys.toReversed()
    return batch({ uses: order.map(({ id }) => ({ id, outcome: 'valid', count: 1, ageMs: n })) })
  })
  await Promise.all(batches.map((one) => writeUse(db, one)))
  expect(await counted()).toBe(before + 30)
})

test('deleted keys are skipped, the others are counted', async () => {
  const gone = randomUUID()
  const before = await counted()
  const uses = [gone, key.id].map((id) => ({ id, outcome: 'valid' as const, count: 1, ageMs: 0 }))
  await writeUse(db, batch({ uses }))
  expect(await counted()).toBe(before + 1)
  expect(await db.selectFrom('api_key_outcomes').selectAll().where('api_key_id', '=', gone).execute()).toEqual([])
})
