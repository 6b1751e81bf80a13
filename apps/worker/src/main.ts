import { readSettings } from '@switchboard/server/settings/env'
import { announce, openLog } from '@switchboard/server/process/log'
import { openDatabase, patienceOf, requireDatabase } from '@switchboard/server/process/open-database'
import { serve } from '@switchboard/server/process/serve'
import { startTracing } from '@switchboard/server/process/tracing'
import { serveWorker } from './serve-worker.ts'

// Starts only the worker, as one of several processes that share a database.

serve(async (lifecycle) => {
  const settings = readSettings()
  await startTracing(lifecycle, settings, 'switchboard-worker')
  const log = openLog(lifecycle, settings)('worker')
  const urls = requireDatabase(settings)
  const patience = patienceOf(lifecycle, settings, log)
  const db = await openDatabase(urls, { max: settings.databasePool, log, patience })
  lifecycle.onStop(() => db.destroy())
  const { opsAddress } = await serveWorker(lifecycle, settings, { db, urls, log })
  announce(log, [`${settings.brandName} worker is ready: ${opsAddress}`])
})
