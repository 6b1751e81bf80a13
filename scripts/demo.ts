import { StartError } from '@switchboard/database/start/start-error'
import { readSettings } from '@switchboard/server/settings/env'
import { serve } from '@switchboard/server/process/serve'
import { prepareDemo } from './demo-data.ts'
import { startProduct } from './product.ts'

// `npm run demo`: the whole product with an invented world, created once, in a separate data folder.

process.env['DATA_DIR'] ||= '.data-demo'
process.env['SUPER_ADMIN_EMAIL'] ||= 'ada.farrowby@switchboard.example'

serve(async (lifecycle) => {
  const settings = readSettings()
  if (settings.databaseUrl !== undefined)
    throw new StartError('The demo has a separate database. Start it without DATABASE_URL.')
  await startProduct(lifecycle, settings, (databaseUrl, say) => prepareDemo(settings, databaseUrl, say))
})
