import type { Registry } from '@prometheus-io/client'
import { type DatabaseClock, databaseClock } from '@switchboard/database/database-clock'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import type { Log } from './log.ts'
import { measureOne } from './metrics.ts'
import { repeatedFailures } from './repeated-failures.ts'

/** The largest unremarkable difference of two clocks, in seconds. The alert has the same limit. */
const DIFFERENCE_MAX = 5

/**
 * The clock of the database for a server. Logs failed readings, and once when the clock of this machine begins or ends
 * to differ from the database's.
 */
export async function openClock(db: Kysely<Database>, log: Log): Promise<DatabaseClock> {
  const readings = repeatedFailures(log, "reading the database's time")
  const clock = await databaseClock(db, {
    ...readings,
    worked: () => {
      readings.worked()
      compare()
    },
  })
  const compare = comparison(log, clock.now)
  compare()
  return clock
}

/** Adds the difference of the two clocks to the metrics. `now` is the database's time. */
export function measureMachineClock(metrics: Registry, now: () => Date): void {
  measureOne(
    metrics,
    {
      name: 'clock_ahead_seconds',
      help: "How far the clock of this machine is ahead of the database's; negative when it is behind",
    },
    () => secondsAhead(now),
  )
}

/** @internal Returns a function that compares the clock of this machine with `now`. */
export function comparison(log: Log, now: () => Date): () => void {
  let isWrong = false
  return () => {
    const ahead = secondsAhead(now)
    const wasWrong = isWrong
    isWrong = Math.abs(ahead) > DIFFERENCE_MAX
    if (isWrong && !wasWrong)
      log.warn(
        `The clock of this machine is ${Math.abs(ahead).toFixed(0)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's. Synchronize both clocks (NTP).`,
      )
    if (wasWrong && !isWrong) log.info("The clock of this machine agrees with the database's again.")
  }
}

function secondsAhead(now: () => Date): number {
  return (Date.now() - now().getTime()) / 1_000
}
