import { untilStarted } from '@switchboard/database/start/until-started'
import type { Database } from '@switchboard/database/tables'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { drainOnStop } from '@switchboard/server/process/drain'
import { openClock } from '@switchboard/server/process/machine-clock'
import type { Settings } from '@switchboard/server/settings/env'
import type { Log } from '@switchboard/server/process/log'
import { type DatabaseUrls, patienceOf } from '@switchboard/server/process/open-database'
import { serveOps } from '@switchboard/server/process/ops'
import { close, type Lifecycle, listen } from '@switchboard/server/process/serve'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { createSignInFailures } from '@switchboard/sign-in/sign-in-metrics'
import type { Kysely } from 'kysely'
import { buildAiApi } from './app.ts'

type AiApiProcess = { db: Kysely<Database>; urls: DatabaseUrls; log: Log; webhookSecrets: readonly string[] }

/** Serves ai-api over a migrated database until the process ends. Returns the addresses. Throws a StartError. */
export async function serveAiApi(
  lifecycle: Lifecycle,
  settings: Settings,
  { db, urls, log, webhookSecrets }: AiApiProcess,
): Promise<{ address: string; opsAddress: string }> {
  const {
    host,
    aiPort,
    sockets,
    trustProxy,
    drainSeconds,
    opsHost,
    aiOpsPort,
    promptMaxAge,
    keyReports,
    outboundProxies,
  } = settings
  const patience = patienceOf(lifecycle, settings, log)
  const { queue, clock } = await untilStarted('the job queue', () => openQueueAndClock(db, urls, log), patience)
  lifecycle.onStop(async () => {
    clock.stop()
    await queue.stop()
  })
  const app = await buildAiApi({
    db,
    directUrl: urls.directUrl,
    log,
    now: clock.now,
    passwords: await createPasswords(),
    signInFailures: createSignInFailures(),
    consoleSettings: { brand_name: settings.brandName },
    queue,
    webhookSecrets,
    promptMaxAge,
    keyReports: keyReports && { ...keyReports, outboundProxies },
    trustProxy,
  })
  lifecycle.onStop(() => close(app))
  drainOnStop(lifecycle, app, drainSeconds)
  const address = await listen(app, { host, port: aiPort, variable: 'AI_PORT', sockets }, patience)
  const opsAddress = await serveOps(lifecycle, app, {
    host: opsHost,
    port: aiOpsPort,
    variable: 'AI_OPS_PORT',
    patience,
  })
  return { address, opsAddress }
}

async function openQueueAndClock(db: Kysely<Database>, { directUrl }: DatabaseUrls, log: Log) {
  const queue = await openRunQueue({ db, directUrl, log, isWorker: false })
  try {
    const clock = await openClock(db, log)
    return { queue, clock }
  } catch (error) {
    await queue.stop()
    throw error
  }
}
