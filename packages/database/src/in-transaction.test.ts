import { createTestDatabase } from '@switchboard/testing/test-database'
import { type Kysely, sql, type Transaction } from 'kysely'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { inTransaction } from './in-transaction.ts'
import type { Database } from './tables.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)
await sql`create table accounts (name text primary key, amount integer not null)`.execute(db)

beforeEach(async () => {
  await sql`truncate accounts`.execute(db)
  await sql`insert into accounts values ('one', 0), ('two', 0)`.execute(db)
})

const add = (trx: Kysely<Database>, name: string) =>
  sql`update accounts set amount = amount + 1 where name = ${name}`.execute(trx)
const amounts = async () => {
  const { rows } = await sql<{ amount: number }>`select amount from accounts order by name`.execute(db)
  return rows.map(({ amount }) => amount)
}

test('the loser of a deadlock is retried, so both transactions succeed', async () => {
  const bothHaveOne = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let attempts = 0
  const work = (first: string, second: string, own: 0 | 1) => async (trx: Transaction<Database>) => {
    attempts += 1
    await add(trx, first)
    bothHaveOne[own].resolve()
    await bothHaveOne[own === 0 ? 1 : 0].promise
    await add(trx, second)
  }
  await Promise.all([inTransaction(db, work('one', 'two', 0)), inTransaction(db, work('two', 'one', 1))])
  expect(attempts).toBe(3)
  expect(await amounts()).toEqual([2, 2])
})

const failing = (code: string) => sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`

test.for(['40001', '40P01'])('a transaction that fails twice with %s fails, and changes nothing', async (code) => {
  let attempts = 0
  const work = inTransaction(db, async (trx) => {
    attempts += 1
    await add(trx, 'one')
    await failing(code).execute(trx)
  })
  await expect(work).rejects.toMatchObject({ code })
  expect([attempts, await amounts()]).toEqual([2, [0, 0]])
})

test('other failures and parts of a larger transaction are not retried', async () => {
  let attempts = 0
  const fail = (code: string) => async (trx: Transaction<Database>) => {
    attempts += 1
    await failing(code).execute(trx)
  }
  await expect(inTransaction(db, fail('23505'))).rejects.toMatchObject({ code: '23505' })
  expect(attempts).toBe(1)
  const whole = db.transaction().execute(async (trx) => await inTransaction(trx, fail('40001')))
  await expect(whole).rejects.toMatchObject({ code: '40001' })
  expect(attempts).toBe(2)
})
