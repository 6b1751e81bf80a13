import type { Database } from '@switchboard/database/tables'
import type { Settings } from '@switchboard/server/env'
import type { Log } from '@switchboard/server/log'
import { close, type Life, listen } from '@switchboard/server/serve'
import type { Kysely } from 'kysely'
import { buildAiApi } from '#src/app.ts'
import { livePlaces } from '#src/live-deps.ts'
import { createWorker } from '#src/tasks/worker.ts'

type Given = { db: Kysely<Database>; databaseUrl: string; log: Log; webhookSecrets: readonly string[] }

/**
 * Serves ai-api and runs tasks over a migrated database until the process ends; returns the address. Throws a
 * StartError.
 */
export async function serveAiApi(life: Life, settings: Settings, given: Given): Promise<string> {
  const { host, aiPort, trustProxy, areReviewsKept } = settings
  const places = livePlaces(settings)
  life.onStop(() => places.close())
  const worker = createWorker({ ...given, places, areReviewsKept })
  const app = await buildAiApi({ ...given, worker, trustProxy })
  // Together: both have ten seconds, and a webhook that waits for its run needs the worker.
  life.onStop(() => Promise.all([close(app), worker.stop()]))
  await worker.start()
  return await listen(app, { host, port: aiPort, variable: 'AI_PORT' })
}
