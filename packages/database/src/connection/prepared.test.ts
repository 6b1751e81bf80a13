import { CompiledQuery, sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { prepared } from './prepared.ts'
import { createTestDatabase } from '@switchboard/testing/test-database'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

test('a connection prepares a marked statement once, also in a transaction, and no other statement', async () => {
  const text = prepared('select $1::int + 1 as sum')
  const kept = await db.connection().execute(async (connection) => {
    for (const number of [1, 2])
      expect((await connection.executeQuery(CompiledQuery.raw(text, [number]))).rows).toEqual([{ sum: number + 1 }])
    await connection.transaction().execute((trx) => trx.executeQuery(CompiledQuery.raw(text, [3])))
    await connection.executeQuery(CompiledQuery.raw('select $1::int - 1 as difference', [1]))
    const { rows } = await sql<{ statement: string; runs: number }>`
      select statement, generic_plans + custom_plans as runs from pg_prepared_statements`.execute(connection)
    return rows
  })
  expect(kept).toEqual([{ statement: text, runs: 3 }])
})
