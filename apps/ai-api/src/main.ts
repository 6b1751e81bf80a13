import { readSettings } from '@switchboard/server/settings/env'
import { announce, openLog } from '@switchboard/server/process/log'
import { openDatabase, patienceOf, requireDatabase } from '@switchboard/server/process/open-database'
import { serve } from '@switchboard/server/process/serve'
import { startTracing } from '@switchboard/server/process/tracing'
import { webhookSecrets } from '@switchboard/server/webhooks/webhook-secret'
import { serveAiApi } from './serve-ai-api.ts'

// Starts only ai-api, as one of several processes that share a database.

serve(async (lifecycle) => {
  const settings = readSettings()
  await startTracing(lifecycle, settings, 'switchboard-ai-api')
  const log = openLog(lifecycle, settings)('ai-api')
  const urls = requireDatabase(settings)
  const secrets = await webhookSecrets(settings)
  const patience = patienceOf(lifecycle, settings, log)
  const db = await openDatabase(urls, { max: settings.databasePool, log, patience })
  lifecycle.onStop(() => db.destroy())
  const { address, opsAddress } = await serveAiApi(lifecycle, settings, { db, urls, log, webhookSecrets: secrets })
  announce(log, [`Metrics: ${opsAddress}/metrics`, `${settings.brandName} AI API is ready: ${address}`])
})
