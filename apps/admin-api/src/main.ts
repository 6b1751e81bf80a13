import { readSettings } from '@switchboard/server/settings/env'
import { announce, openLog } from '@switchboard/server/process/log'
import { openDatabase, patienceOf, requireDatabase } from '@switchboard/server/process/open-database'
import { serve } from '@switchboard/server/process/serve'
import { startTracing } from '@switchboard/server/process/tracing'
import { webhookSecrets } from '@switchboard/server/webhooks/webhook-secret'
import { serveAdminApi } from './serve-admin-api.ts'

// Starts only admin-api, as one of several processes that share a database.

serve(async (lifecycle) => {
  const settings = readSettings()
  await startTracing(lifecycle, settings, 'switchboard-admin-api')
  const urls = requireDatabase(settings)
  const [webhookSecret] = await webhookSecrets(settings)
  const log = openLog(lifecycle, settings)('admin-api')
  const patience = patienceOf(lifecycle, settings, log)
  const db = await openDatabase(urls, { max: settings.databasePool, log, patience })
  lifecycle.onStop(() => db.destroy())
  const aiApiUrl = settings.aiApiUrl ?? `http://127.0.0.1:${settings.aiPort}`
  const { address, opsAddress, firstAdmin } = await serveAdminApi(lifecycle, settings, {
    db,
    urls,
    log,
    aiApiUrl,
    webhookSecret,
  })
  const isShown = firstAdmin !== null && settings.superAdminPassword === undefined
  announce(log, [
    ...(isShown ? [`Sign in as ${firstAdmin.email} with ${firstAdmin.password} (shown only now)`] : []),
    `Metrics: ${opsAddress}/metrics`,
    `${settings.brandName} admin API is ready: ${address}`,
  ])
})
