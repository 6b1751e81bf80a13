import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from './test-database.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

test.for([
  ['2026-11-20 09:30:00+00', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20 09:30:00.1+00', '2026-11-20T09:30:00.100Z'],
  ['2026-11-20 09:30:00.012+00', '2026-11-20T09:30:00.012Z'],
  ['2026-11-20 09:30:00.987654+00', '2026-11-20T09:30:00.987Z'],
  ['2026-11-20 09:30:00.5+05:30', '2026-11-20T04:00:00.500Z'],
  ['12026-11-20 09:30:00+00', '+012026-11-20T09:30:00.000Z'],
])('the time %s comes back as %s', async ([written, read]) => {
  const { rows } = await sql<{ at: string }>`select ${written}::timestamptz as at`.execute(db)
  expect(rows).toEqual([{ at: read }])
})
