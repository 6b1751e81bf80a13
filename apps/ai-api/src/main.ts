import { readSettings } from '@switchboard/server/settings/env'
import { announce, openLog } from '@switchboard/server/process/log'
import { requireDatabase } from '@switchboard/server/process/open-database'
import { serve } from '@switchboard/server/process/serve'
import { startTracing } from '@switchboard/server/process/tracing'
import { webhookSecrets } from '@switchboard/server/webhooks/webhook-secret'
import { openWithoutDatabase } from './open-without-database.ts'
import { serveAiApi } from './serve-ai-api.ts'

// Starts only ai-api, as one of several processes that share a database.

serve(async (lifecycle) => {
  const settings = readSettings()
  await startTracing(lifecycle, settings, 'switchboard-ai-api')
  const log = openLog(lifecycle, settings)('ai-api')
  const urls = requireDatabase(settings)
  const secrets = await webhookSecrets(settings)
  const opened = await openWithoutDatabase(lifecycle, settings, { urls, log, webhookSecrets: secrets })
  lifecycle.onStop(() => opened.db.destroy())
  const { address, opsAddress } = await serveAiApi(lifecycle, settings, {
    ...opened,
    urls,
    log,
    webhookSecrets: secrets,
  })
  announce(log, [`Metrics and API documentation: ${opsAddress}`, `${settings.brandName} AI API is ready: ${address}`])
})
