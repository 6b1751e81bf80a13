import type { Database } from '@switchboard/database/tables'
import { drainOnStop } from '@switchboard/server/process/drain'
import type { Settings } from '@switchboard/server/settings/env'
import type { Log } from '@switchboard/server/process/log'
import type { DatabaseUrls } from '@switchboard/server/process/open-database'
import { serveOps } from '@switchboard/server/process/ops'
import { close, type Life, listen } from '@switchboard/server/process/serve'
import type { Kysely } from 'kysely'
import { buildAiApi } from '#src/app.ts'
import { livePlaces } from '#src/live-deps.ts'
import { createWorker } from '#src/tasks/worker.ts'

type Given = { db: Kysely<Database>; urls: DatabaseUrls; log: Log; webhookSecrets: readonly string[] }

/**
 * Serves ai-api and runs tasks over a migrated database until the process ends; returns the addresses. Throws a
 * StartError.
 */
export async function serveAiApi(
  life: Life,
  settings: Settings,
  { db, urls, log, webhookSecrets }: Given,
): Promise<{ address: string; opsAddress: string }> {
  const { host, aiPort, trustProxy, areReviewsKept, drainSeconds, opsHost, aiOpsPort } = settings
  const { directUrl } = urls
  const places = livePlaces(settings)
  life.onStop(() => places.close())
  const worker = createWorker({ db, directUrl, log, places, areReviewsKept })
  const app = await buildAiApi({ db, directUrl, log, webhookSecrets, worker, trustProxy })
  // Together: both have ten seconds, and a webhook that waits for its run needs the worker.
  life.onStop(() => Promise.all([close(app), worker.stop()]))
  drainOnStop(life, app, drainSeconds)
  await worker.start()
  const address = await listen(app, { host, port: aiPort, variable: 'AI_PORT' })
  const opsAddress = await serveOps(life, app, { host: opsHost, port: aiOpsPort, variable: 'AI_OPS_PORT' }, address)
  return { address, opsAddress }
}
