import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { deleteOldDeletions } from './old-deletions.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

test('deleted records are kept for ten minutes', async () => {
  // The column has milliseconds: a rounded time could be later.
  const add = (id: string, age: string) =>
    sql`insert into deletions (id, table_name, records, deleted_at)
      values (${id}, 'users', '[]', date_trunc('milliseconds', now()) - ${age}::interval)`.execute(db)
  const [young, old] = [crypto.randomUUID(), crypto.randomUUID()]
  await add(young, '9 minutes')
  await add(old, '10 minutes')
  await deleteOldDeletions(db)
  expect(await db.selectFrom('deletions').select('id').execute()).toEqual([{ id: young }])
})
