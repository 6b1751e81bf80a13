import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { deleteOldAnswers } from './old-answers.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

test('answers are deleted 24 hours after their call', async () => {
  const row = (request_id: string, age: string) => ({
    id: Buffer.from(request_id),
    fingerprint: Buffer.alloc(32),
    request_id,
    claimed_at: sql<Date>`now() - ${age}::interval`,
  })
  await db
    .insertInto('idempotency_keys')
    .values([row('new', '23 hours'), row('old', '24 hours'), row('older', '3 days')])
    .execute()
  await deleteOldAnswers(db)
  expect(await db.selectFrom('idempotency_keys').select('request_id').execute()).toEqual([{ request_id: 'new' }])
})
