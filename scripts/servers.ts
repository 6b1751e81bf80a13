import { serveAdminApi } from '#apps/admin-api/src/serve-admin-api.ts'
import { serveAiApi } from '#apps/ai-api/src/serve-ai-api.ts'
import { serveWorker } from '#apps/worker/src/serve-worker.ts'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import type { Settings } from '@switchboard/server/settings/env'
import type { openLog } from '@switchboard/server/process/log'
import { type DatabaseUrls, openDatabase, patienceOf } from '@switchboard/server/process/open-database'
import { webhookSecrets } from '@switchboard/server/webhooks/webhook-secret'
import type { Lifecycle } from '@switchboard/server/process/serve'

export type Started = Awaited<ReturnType<typeof startServers>>

/** Migrates the database and serves both APIs, the console and the worker in one process with one pool. */
export async function startServers(
  lifecycle: Lifecycle,
  given: Settings,
  { urls, logOf }: { urls: DatabaseUrls; logOf: ReturnType<typeof openLog> },
) {
  const settings = await withMaps(lifecycle, given)
  const log = logOf('switchboard')
  const patience = patienceOf(lifecycle, settings, log)
  const db = await openDatabase(urls, { max: settings.databasePool, log, patience })
  lifecycle.onStop(() => db.destroy())
  await serveWorker(lifecycle, settings, { db, urls, log: logOf('worker') })
  // admin-api creates the first super admin and prints the password once, so admin-api starts last.
  const secrets = await webhookSecrets(settings)
  const { address: aiAddress, opsAddress: aiOpsAddress } = await serveAiApi(lifecycle, settings, {
    db,
    urls,
    log: logOf('ai-api'),
    webhookSecrets: secrets,
  })
  const aiApiUrl = settings.aiApiUrl ?? aiAddress
  const shared = { db, urls, log: logOf('admin-api'), aiApiUrl, webhookSecret: secrets[0] }
  return { aiAddress, aiOpsAddress, ...(await serveAdminApi(lifecycle, settings, shared)) }
}

/** Starts the maps emulator when there is no Google key. The emulator accepts any key. */
async function withMaps(lifecycle: Lifecycle, settings: Settings): Promise<Settings> {
  if (!settings.sampleMaps) return settings
  const emulator = await startMapsEmulator({ now: () => new Date() })
  lifecycle.onStop(() => emulator.close())
  return { ...settings, googlePlacesUrl: emulator.url, googlePhotosUrl: emulator.url, googleMapsApiKey: 'sample' }
}
