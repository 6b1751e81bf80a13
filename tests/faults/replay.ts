import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'

// The replay of the write-ahead log on a standby.

/** Waits until the standby has replayed all changes of the primary. */
export async function untilReplayed(primary: Kysely<Database>, standby: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_flush_lsn() as at`.execute(primary)
  const isReplayed = async () => {
    const reached = sql<{ is: boolean }>`select pg_last_wal_replay_lsn() >= ${rows[0]?.at}::pg_lsn as is`
    return (await reached.execute(standby)).rows[0]?.is
  }
  await expect.poll(isReplayed, { interval: 20 }).toBe(true)
}

/** Pauses the replay until the test ends, or the returned function is called. */
export async function pauseReplay(standby: Kysely<Database>): Promise<() => Promise<unknown>> {
  await sql`select pg_wal_replay_pause()`.execute(standby)
  const resume = () => sql`select pg_wal_replay_resume()`.execute(standby)
  onTestFinished(async () => void (await resume()))
  return resume
}
