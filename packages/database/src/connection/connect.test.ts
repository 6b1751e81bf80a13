import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { connect } from './connect.ts'
import type { Database } from '#src/tables.ts'
import { createTestDatabase } from '@switchboard/testing/test-database'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
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

/** How long a statement may run, in milliseconds: long enough for a statement on a busy machine. */
const STATEMENT_MS = 2_000

describe('an unresponsive server', () => {
  /** Gives a pool of one connection whose server process is stopped. */
  const frozen = async (use: (pool: Kysely<Database>) => Promise<void>) => {
    const pool = connect(url, { max: 1, statementTimeoutMs: STATEMENT_MS })
    const { pid } = await backendOf(pool)
    process.kill(pid, 'SIGSTOP')
    try {
      await use(pool)
      expect((await backendOf(pool)).pid).not.toBe(pid)
    } finally {
      process.kill(pid, 'SIGCONT')
      await pool.destroy()
    }
  }
  const backendOf = async (pool: Kysely<Database>) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(pool)
    return rows[0] ?? { pid: 0 }
  }

  test('fails the query a second after its time limit, and the next query has another connection', () =>
    frozen(async (pool) => {
      const outcome = backendOf(pool).catch(String)
      // Timers end in their order, also when the process has paused.
      const late = sleep(STATEMENT_MS + 1_500, 'late')
      expect(await Promise.race([outcome, late])).toBe('Error: Query read timeout')
    }))

  test('fails all waiting queries of a transaction', () =>
    frozen(async (pool) => {
      const work = pool.transaction().execute((trx) => Promise.all([backendOf(trx), backendOf(trx)]))
      await expect(work).rejects.toThrow(/Query read timeout|Client was closed/)
    }))
})
