import { sql } from 'kysely'
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest'
import { databaseClock } from './database-clock.ts'
import { createTestDatabase } from '@switchboard/testing/test-database'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(() => drop())
afterEach(() => vi.useRealTimers())

test('has the time of the database when the clock of the machine is wrong', async () => {
  vi.useFakeTimers({ now: new Date('2001-02-03T04:05:06.000Z'), toFake: ['Date'] })
  const begun = performance.now()
  const clock = await databaseClock(db)
  // A reading may take long on a busy machine, and is then as inexact.
  const toleranceMs = 1_000 + (performance.now() - begun)
  const before = clock.now().getTime() - toleranceMs
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::timestamptz(3) as at`.execute(db)
  const after = clock.now().getTime() + toleranceMs
  clock.stop()
  const at = Date.parse(rows[0]?.at ?? '')
  expect([at > before, at < after]).toEqual([true, true])
})
