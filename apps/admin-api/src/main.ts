import { readSettings } from '@switchboard/server/env'
import { createLogger } from '@switchboard/server/log'
import { openDatabase, requireDatabaseUrl } from '@switchboard/server/open-database'
import { serve } from '@switchboard/server/serve'
import { serveAdminApi } from '#src/serve-admin-api.ts'

// admin-api alone, as one of several machines over one database.

serve(async (life) => {
  const settings = readSettings()
  const databaseUrl = requireDatabaseUrl(settings)
  const log = createLogger(settings.logLevel)
  const db = await openDatabase(databaseUrl, log)
  life.onStop(() => db.destroy())
  const { address, firstAdmin } = await serveAdminApi(life, settings, { db, databaseUrl, log })
  console.log(`${settings.brandName} admin API is ready: ${address}`)
  if (firstAdmin !== null && settings.superAdminPassword === undefined) {
    console.log(`Sign in as ${firstAdmin.email} with ${firstAdmin.password} (shown only now)`)
  }
})
