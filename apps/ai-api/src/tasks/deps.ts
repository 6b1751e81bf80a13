import type { Database } from '@switchboard/database/tables'
import type { PlacesClient } from '@switchboard/places/places.client'
import type { Log } from '@switchboard/server/process/log'
import type { Kysely } from 'kysely'
import type { Jobs } from './jobs.ts'

/** All that tasks need from outside. The time is the database's: one clock for all processes. */
export type TaskDeps = {
  db: Kysely<Database>
  log: Log
  jobs: Pick<Jobs, 'enqueue' | 'hasJob'>
  places: Pick<PlacesClient, 'placeDetails'>
  /** Whether the text of reviews is kept; otherwise they are only counted. */
  areReviewsKept: boolean
  /** The wait before the first new attempt, in milliseconds; the next ones take four times as long each. */
  firstRetryMs: number
  /** From 0 to 1, for the jitter. */
  random: () => number
  /** Counts runs by how they ended, for the metrics. */
  count: (outcome: string, more?: number) => void
}
