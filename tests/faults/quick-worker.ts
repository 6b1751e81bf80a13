import { connect } from '@switchboard/database/connection/connect'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { createLogger } from '@switchboard/server/process/log'
import { shipLogs } from '#apps/worker/src/signals/log-sinks/ship-logs.service.ts'
import { createWebhookClient } from '#apps/worker/src/signals/webhooks/webhook.client.ts'
import { createWorker } from '#apps/worker/src/worker.ts'

// A worker in a separate process that retries soon: `fork('tests/faults/quick-worker.ts', [databaseUrl])`. Sends `ready`.

const FIRST_RETRY_MS = 100

// With the process that has started it.
process.once('disconnect', () => process.exit(0))

const [databaseUrl = ''] = process.argv.slice(2)
const common = {
  db: connect(databaseUrl, { max: 10 }),
  log: createLogger('error'),
  secretKeys: { current: null, old: [] },
  firstRetryMs: FIRST_RETRY_MS,
}
const guard = createAddressGuard(['127.0.0.0/8'])
const worker = await createWorker({
  ...common,
  directUrl: databaseUrl,
  places: createPlacesClient({ url: 'http://127.0.0.1:1', apiKey: 'any', now: () => new Date() }),
  areReviewsKept: false,
  mailer: null,
  webhookClient: createWebhookClient({ guard }),
})
await worker.start()
shipLogs({
  ...common,
  sinkDb: connect(databaseUrl, { max: 4 }),
  guard,
  proxies: { httpProxy: '', httpsProxy: '', noProxy: '' },
  auditFiles: undefined,
  random: Math.random,
})
process.send?.('ready')
