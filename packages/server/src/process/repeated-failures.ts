import type { Outcomes } from '@switchboard/database/database-clock'
import { failureOf } from '@switchboard/database/connection/failures'
import { reasonOf } from '@switchboard/database/start/reason'
import type { Log } from './log.ts'

/** Interval of the lines about a repeated failure, in milliseconds. */
const COUNT_MS = 300_000

/** Work counts as recovered when it has not failed for this long, in milliseconds. */
const CALM_MS = 10_000

/**
 * Logs the failures of repeated work, such as the polls of a queue: the first failure at once, further failures as a
 * count every five minutes, and the recovery. A failure of the database is logged without its stack, which says nothing
 * about the cause. `clock` returns milliseconds.
 */
export function repeatedFailures(log: Log, work: string, clock = () => performance.now()): Outcomes {
  let failing: { since: number; last: number; failures: number; countedAt: number; uncounted: number } | null = null
  return {
    failed(error) {
      const now = clock()
      const reason = reasonOf(error)
      if (failing === null) {
        failing = { since: now, last: now, failures: 1, countedAt: now, uncounted: 0 }
        log.warn(
          error instanceof Error && failureOf(error) === null ? { reason, err: error } : { reason },
          `${work} failed`,
        )
        return
      }
      failing.last = now
      failing.failures += 1
      failing.uncounted += 1
      if (now - failing.countedAt < COUNT_MS) return
      log.warn({ reason }, `${work} failed ${failing.uncounted} times in ${minutes(now - failing.countedAt)}`)
      failing = { ...failing, countedAt: now, uncounted: 0 }
    },
    worked() {
      const now = clock()
      if (failing === null || now - failing.last < CALM_MS) return
      const seconds = Math.round((failing.last - failing.since) / 1_000)
      log.info({ failures: failing.failures, seconds }, `${work} works again`)
      failing = null
    },
  }
}

/** Returns a function that runs `work`, logs its failures like `repeatedFailures`, and never throws. */
export function loggingFailures(log: Log, name: string, work: () => Promise<void>): () => Promise<void> {
  const outcomes = repeatedFailures(log, name)
  return async () => {
    try {
      await work()
      outcomes.worked()
    } catch (error) {
      outcomes.failed(error)
    }
  }
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} minutes`
}
