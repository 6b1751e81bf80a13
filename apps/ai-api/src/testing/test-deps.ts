import type { Database } from '@switchboard/database/tables'
import { createPlacesClient, type PlacesClient } from '@switchboard/places/places.client'
import { createLogger, type Log } from '@switchboard/server/process/log'
import type { Kysely } from 'kysely'
import type { Deps } from '#src/app.ts'
import { createWorker, type Worker } from '#src/tasks/worker.ts'

export const TEST_SECRET = 'the secret of the tests, 32 letters'.replaceAll(' ', '-')

type Given = {
  db: Kysely<Database>
  directUrl: string
  log?: Log
  places?: Pick<PlacesClient, 'placeDetails'>
  areReviewsKept?: boolean
}

/** The deps of an ai-api under test. Its worker is not started, and knows no maps unless given some. */
export function testDeps({ db, directUrl, ...given }: Given): Deps & { worker: Worker } {
  const log = given.log ?? createLogger('silent')
  const places = given.places ?? createPlacesClient({ url: '', apiKey: undefined, now: () => new Date(0) })
  const { areReviewsKept = true } = given
  const worker = createWorker({ db, directUrl, log, places, areReviewsKept, firstRetryMs: 500 })
  return { db, directUrl, log, worker, webhookSecrets: [TEST_SECRET], trustProxy: false }
}
