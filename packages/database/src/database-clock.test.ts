import { sql } from 'kysely'
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest'
import { databaseClock } from './database-clock.ts'
import { createTestDatabase } from '@switchboard/testing/test-database'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(() => drop())
afterEach(() => vi.useRealTimers())

test('has the time of the database when the clock of the machine is wrong', async () => {
  vi.useFakeTimers({ now: new Date('2001-02-03T04:05:06.000Z'), toFake: ['Date'] })
  const clock = await databaseClock(db)
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::timestamptz(3) as at`.execute(db)
  const difference = clock.now().getTime() - Date.parse(rows[0]?.at ?? '')
  clock.stop()
  expect(Math.abs(difference)).toBeLessThan(1_000)
})
