import { type DatabaseClock, databaseClock } from '@switchboard/database/database-clock'
import { untilStarted } from '@switchboard/database/start/until-started'
import type { Database } from '@switchboard/database/tables'
import { openRunQueue, type RunQueue } from '@switchboard/jobs/run-queue'
import { DATABASE_UNREACHABLE, unavailable } from '@switchboard/server/http/errors'
import { drainOnStop } from '@switchboard/server/process/drain'
import type { Settings } from '@switchboard/server/settings/env'
import type { Log } from '@switchboard/server/process/log'
import { type DatabaseUrls, patienceOf } from '@switchboard/server/process/open-database'
import { serveOps } from '@switchboard/server/process/ops'
import { repeatedFailures } from '@switchboard/server/process/repeated-failures'
import { openReplicas } from '@switchboard/server/process/replicas'
import { close, type Lifecycle, listen } from '@switchboard/server/process/serve'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { createSignInFailures } from '@switchboard/sign-in/sign-in-metrics'
import type { Kysely } from 'kysely'
import { type KeySnapshot, prepareFolder } from '#src/api-keys/key-snapshot.ts'
import { buildAiApi } from './app.ts'
import { snapshotFileOf, whileAway } from './open-without-database.ts'

type AiApiProcess = {
  db: Kysely<Database>
  urls: DatabaseUrls
  log: Log
  webhookSecrets: readonly string[]
  /** In a process that starts without a database: its keys, and an attempt to open the database. */
  snapshot?: KeySnapshot | null
  open?: () => Promise<void>
}

/** Serves ai-api over a migrated database until the process ends. Returns the addresses. Throws a StartError. */
export async function serveAiApi(
  lifecycle: Lifecycle,
  settings: Settings,
  { db, urls, log, webhookSecrets, snapshot = null, open = () => Promise.resolve() }: AiApiProcess,
): Promise<{ address: string; opsAddress: string }> {
  const { host, aiPort, sockets, trustProxy, drainSeconds, opsHost, aiOpsPort } = settings
  const snapshotFile = snapshotFileOf(settings, { urls, log, webhookSecrets })
  if (snapshotFile !== null) await prepareFolder(snapshotFile)
  let database: { queue: RunQueue; clock: DatabaseClock } | undefined
  const patience = patienceOf(lifecycle, settings, log)
  const openAll = async () => {
    await open()
    database = await openQueueAndClock(db, urls, log)
  }
  lifecycle.onStop(async () => {
    database?.clock.stop()
    await database?.queue.stop()
  })
  if (snapshot === null) await untilStarted('the job queue', openAll, patience)
  else whileAway(openAll, { log, signal: lifecycle.signal }).catch((error: unknown) => lifecycle.fail(error))
  const afterOpening = () => {
    if (database === undefined) throw unavailable(DATABASE_UNREACHABLE)
    return database
  }
  const replicas = openReplicas(lifecycle, settings, urls, log)
  const app = await buildAiApi({
    db,
    replicas,
    directUrl: urls.directUrl,
    staleKeys: settings.staleKeys === null ? null : { seconds: settings.staleKeys.seconds, snapshotFile, snapshot },
    log,
    now: () => afterOpening().clock.now(),
    passwords: await createPasswords(),
    signInFailures: createSignInFailures(),
    consoleSettings: { brand_name: settings.brandName },
    queue: { enqueue: async (trx, jobs) => await afterOpening().queue.enqueue(trx, jobs) },
    webhookSecrets,
    trustProxy,
  })
  lifecycle.onStop(() => close(app))
  drainOnStop(lifecycle, app, drainSeconds)
  const address = await listen(app, { host, port: aiPort, variable: 'AI_PORT', sockets }, patience)
  const opsAddress = await serveOps(
    lifecycle,
    app,
    { host: opsHost, port: aiOpsPort, variable: 'AI_OPS_PORT', patience },
    address,
  )
  return { address, opsAddress }
}

async function openQueueAndClock(db: Kysely<Database>, { directUrl }: DatabaseUrls, log: Log) {
  const queue = await openRunQueue({ db, directUrl, log, isWorker: false })
  try {
    const clock = await databaseClock(db, repeatedFailures(log, "reading the database's time"))
    return { queue, clock }
  } catch (error) {
    await queue.stop()
    throw error
  }
}
