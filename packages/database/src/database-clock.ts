import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/** How often the time is read from the database. */
const READ_EVERY_MS = 60_000

/** Called for each success and each failure of repeated work. */
export type Outcomes = { worked: () => void; failed: (error: unknown) => void }

export type DatabaseClock = { now: () => Date; stop: () => void }

/**
 * The clock of the database: processes on machines with different clocks agree on the time. The clock is read once a
 * minute. In between, the monotonic timer of this process continues the last reading, so the clock of the machine may
 * be wrong or change. `readings` is called for each later reading. After a failed one, the previous reading continues.
 */
export async function databaseClock(db: Kysely<Database>, readings?: Outcomes): Promise<DatabaseClock> {
  let offset = await readOffset(db)
  const read = async () => {
    offset = await readOffset(db)
    readings?.worked()
  }
  const timer = setInterval(() => void read().catch((error: unknown) => readings?.failed(error)), READ_EVERY_MS)
  timer.unref()
  return { now: () => new Date(performance.now() + offset), stop: () => clearInterval(timer) }
}

/** The time at the start of the database's current transaction. */
export async function databaseTime(db: Kysely<Database>): Promise<Date> {
  const { rows } = await sql<{ at: string }>`select now() as at`.execute(db)
  return new Date(rows[0]?.at ?? Number.NaN)
}

/** The database's time minus this process's monotonic time, in milliseconds. */
async function readOffset(db: Kysely<Database>): Promise<number> {
  return await db.connection().execute(async (connection) => {
    const sent = performance.now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(connection)
    const received = performance.now()
    const [answer] = rows
    if (answer === undefined) throw new Error('The database returned no time.')
    return answer.ms - (sent + received) / 2
  })
}
