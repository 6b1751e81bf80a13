import { databaseClock } from '@switchboard/database/database-clock'
import type { Database } from '@switchboard/database/tables'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { drainOnStop } from '@switchboard/server/process/drain'
import type { Settings } from '@switchboard/server/settings/env'
import type { Log } from '@switchboard/server/process/log'
import type { DatabaseUrls } from '@switchboard/server/process/open-database'
import { serveOps } from '@switchboard/server/process/ops'
import { openReplicas } from '@switchboard/server/process/replicas'
import { close, type Lifecycle, listen } from '@switchboard/server/process/serve'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { createSignInFailures } from '@switchboard/sign-in/sign-in-failures'
import type { Kysely } from 'kysely'
import { buildAiApi } from '#src/app.ts'

type AiApiProcess = { db: Kysely<Database>; urls: DatabaseUrls; log: Log; webhookSecrets: readonly string[] }

/** Serves ai-api over a migrated database until the process ends. Returns the addresses. Throws a StartError. */
export async function serveAiApi(
  lifecycle: Lifecycle,
  settings: Settings,
  { db, urls, log, webhookSecrets }: AiApiProcess,
): Promise<{ address: string; opsAddress: string }> {
  const { host, aiPort, sockets, trustProxy, drainSeconds, opsHost, aiOpsPort } = settings
  const { directUrl } = urls
  const queue = await openRunQueue({ db, directUrl, log, isWorker: false })
  lifecycle.onStop(() => queue.stop())
  const clock = await databaseClock(db, (error) => log.warn({ err: error }, "the database's time could not be read"))
  lifecycle.onStop(async () => clock.stop())
  const replicas = openReplicas(lifecycle, settings, urls, log)
  const app = await buildAiApi({
    db,
    replicas,
    directUrl,
    log,
    now: clock.now,
    passwords: await createPasswords(),
    signInFailures: createSignInFailures(),
    consoleSettings: { brand_name: settings.brandName },
    queue,
    webhookSecrets,
    trustProxy,
  })
  lifecycle.onStop(() => close(app))
  drainOnStop(lifecycle, app, drainSeconds)
  const address = await listen(app, { host, port: aiPort, variable: 'AI_PORT', sockets })
  const opsAddress = await serveOps(
    lifecycle,
    app,
    { host: opsHost, port: aiOpsPort, variable: 'AI_OPS_PORT' },
    address,
  )
  return { address, opsAddress }
}
