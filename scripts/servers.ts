import { serveAdminApi } from '#apps/admin-api/src/serve-admin-api.ts'
import { serveAiApi } from '#apps/ai-api/src/serve-ai-api.ts'
import { serveWorker } from '#apps/worker/src/serve-worker.ts'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import type { Settings } from '@switchboard/server/settings/env'
import { openLog } from '@switchboard/server/process/log'
import { type DatabaseUrls, openDatabase } from '@switchboard/server/process/open-database'
import { webhookSecrets } from '@switchboard/server/webhooks/webhook-secret'
import type { Life } from '@switchboard/server/process/serve'

export type Started = Awaited<ReturnType<typeof startServers>>

/** Migrates the database and serves both APIs, the console and the worker in one process with one pool. */
export async function startServers(life: Life, given: Settings, urls: DatabaseUrls) {
  const settings = await withMaps(life, given)
  const logOf = openLog(life, settings.logLevel)
  const db = await openDatabase(urls, { max: settings.databasePool, log: logOf('switchboard'), signal: life.signal })
  life.onStop(() => db.destroy())
  await serveWorker(life, settings, { db, urls, log: logOf('worker') })
  // admin-api creates the first super admin and prints the password once, so admin-api starts last.
  const secrets = await webhookSecrets(settings)
  const { address: aiAddress, opsAddress: aiOpsAddress } = await serveAiApi(life, settings, {
    db,
    urls,
    log: logOf('ai-api'),
    webhookSecrets: secrets,
  })
  const aiApiUrl = settings.aiApiUrl ?? aiAddress
  const shared = { db, urls, log: logOf('admin-api'), aiApiUrl, webhookSecret: secrets[0] }
  return { aiAddress, aiOpsAddress, ...(await serveAdminApi(life, settings, shared)) }
}

/** Starts the maps emulator when there is no Google key. The emulator accepts any key. */
async function withMaps(life: Life, settings: Settings): Promise<Settings> {
  if (!settings.sampleMaps) return settings
  const emulator = await startMapsEmulator({ now: () => new Date() })
  life.onStop(() => emulator.close())
  return { ...settings, googlePlacesUrl: emulator.url, googlePhotosUrl: emulator.url, googleMapsApiKey: 'sample' }
}
