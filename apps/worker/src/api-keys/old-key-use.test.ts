import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { deleteOldKeyUse } from './old-key-use.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

test('calls by hour are deleted after two days, refused origins 30 days after their last call', async () => {
  const { id: api_key_id } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
  const ago = (interval: string) => sql<Date>`now() - ${interval}::interval`
  const hour = (age: string) => ({ api_key_id, hour: ago(age), outcome: 'valid' as const, count: 1 })
  const origin = (name: string, age: string) => ({ api_key_id, origin: name, count: 1, last_at: ago(age) })
  await db
    .insertInto('api_key_hours')
    .values([hour('47 hours'), hour('49 hours')])
    .execute()
  await db
    .insertInto('api_key_refused_origins')
    .values([origin('https://new.example', '29 days'), origin('https://old.example', '31 days')])
    .execute()
  await deleteOldKeyUse(db)
  expect(await db.selectFrom('api_key_hours').select(['count']).execute()).toHaveLength(1)
  const origins = await db.selectFrom('api_key_refused_origins').select('origin').execute()
  expect(origins).toEqual([{ origin: 'https://new.example' }])
})
