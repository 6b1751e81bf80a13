import { LOG_SINKS_MAX } from '@switchboard/contract/signals/log-sinks'
import { createMailer } from '@switchboard/mail/mailer'
import { checkSecretKeys } from '@switchboard/database/stored-secrets/stored-secrets'
import { untilStarted } from '@switchboard/database/start/until-started'
import type { Database } from '@switchboard/database/tables'
import type { Settings } from '@switchboard/server/settings/env'
import type { Log } from '@switchboard/server/process/log'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { type DatabaseUrls, openPool, patienceOf } from '@switchboard/server/process/open-database'
import { serveWorkerOps } from '@switchboard/server/process/ops'
import type { Lifecycle } from '@switchboard/server/process/serve'
import type { Kysely } from 'kysely'
import { checkChainDaily } from './activity/chain-check.service.ts'
import { createWebhookClient } from './signals/webhooks/webhook.client.ts'
import { livePlaces } from './live-deps.ts'
import { deleteMonths } from './signals/log-sinks/delete-months.service.ts'
import { shipLogs } from './signals/log-sinks/ship-logs.service.ts'
import { createWorkerMetrics } from './worker-metrics.ts'
import { createWorker } from './worker.ts'

type WorkerProcess = { db: Kysely<Database>; urls: DatabaseUrls; log: Log }

/**
 * Runs jobs over a migrated database until the process ends, and serves metrics and health. Returns the address of
 * these. Throws a StartError.
 */
export async function serveWorker(
  lifecycle: Lifecycle,
  settings: Settings,
  { db, urls, log }: WorkerProcess,
): Promise<{ opsAddress: string }> {
  const { areReviewsKept, opsHost, workerOpsPort } = settings
  const places = livePlaces(settings)
  lifecycle.onStop(() => places.close())
  const mailer = createMailer(settings.mail, settings.brandName)
  const patience = patienceOf(lifecycle, settings, log)
  const guard = createAddressGuard(settings.webhookNetworks)
  const { publicUrl, secretKeys, auditFiles, outboundProxies: proxies } = settings
  const webhookClient = createWebhookClient({ guard, proxies })
  lifecycle.onStop(() => webhookClient.close())
  await untilStarted('the database', () => checkSecretKeys(db, secretKeys), patience)
  const options = {
    db,
    directUrl: urls.directUrl,
    log,
    places,
    areReviewsKept,
    mailer,
    webhookClient,
    secretKeys,
    publicUrl,
  }
  const worker = await untilStarted('the job queue', () => createWorker(options), patience)
  lifecycle.onStop(() => worker.stop())
  const chainCheck = checkChainDaily({ db, log })
  lifecycle.onStop(() => chainCheck.stop())
  const sinkDb = openPool(urls, { max: LOG_SINKS_MAX }, log)
  lifecycle.onStop(() => sinkDb.destroy())
  const shipping = shipLogs({ db, sinkDb, log, guard, proxies, secretKeys, auditFiles, random: Math.random })
  lifecycle.onStop(() => shipping.stop())
  const deleting = deleteMonths({ db, log }, settings.auditRetention)
  lifecycle.onStop(() => deleting.stop())
  const metrics = createWorkerMetrics(worker.deps, chainCheck, deleting)
  const address = { host: opsHost, port: workerOpsPort, variable: 'WORKER_OPS_PORT' } as const
  // Before the first job: a start that fails for its port must not take jobs.
  const opsAddress = await serveWorkerOps(lifecycle, { db, metrics, log, patience }, address)
  await worker.start()
  return { opsAddress }
}
