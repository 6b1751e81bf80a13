import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/** How often the time is read from the database. */
const READ_EVERY_MS = 60_000

export type DatabaseClock = { now: () => Date; stop: () => void }

/**
 * The clock of the database: processes on machines whose clocks differ agree on it. It is read once a minute and goes
 * on by this process's monotonic timer, so the clock of the machine may be wrong or be set. `onMissed` hears when a
 * later reading fails: the clock then goes on from the one before.
 */
export async function databaseClock(
  db: Kysely<Database>,
  onMissed: (error: unknown) => void = () => undefined,
): Promise<DatabaseClock> {
  let offset = await readOffset(db)
  const read = async () => {
    offset = await readOffset(db)
  }
  const timer = setInterval(() => void read().catch(onMissed), READ_EVERY_MS)
  timer.unref()
  return { now: () => new Date(performance.now() + offset), stop: () => clearInterval(timer) }
}

/** The database's time minus this process's monotonic time, in milliseconds. */
async function readOffset(db: Kysely<Database>): Promise<number> {
  return await db.connection().execute(async (connection) => {
    const sent = performance.now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(connection)
    const received = performance.now()
    const [answer] = rows
    if (answer === undefined) throw new Error('The database did not tell its time.')
    return answer.ms - (sent + received) / 2
  })
}
