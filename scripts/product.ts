import path from 'node:path'
import { backUpBeforeUpgrade, makeBackupFolder, makeNightlyBackups } from '@switchboard/backup/kept-backups'
import { StartError } from '@switchboard/database/start/start-error'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import type { Settings } from '@switchboard/server/settings/env'
import { type DatabaseUrls, requireDatabase } from '@switchboard/server/process/open-database'
import { announce, type Log, openLog } from '@switchboard/server/process/log'
import type { Lifecycle } from '@switchboard/server/process/serve'
import { startTracing } from '@switchboard/server/process/tracing'
import { namedAddress } from './named-address.ts'

/** Prints lines for the person who started the product. */
export type Say = (...lines: string[]) => void

/** The sign-in, and a note about the password. */
export type SignIn = { email: string; password: string }

/**
 * Starts PostgreSQL, unless the settings name a database, and serves both APIs and the console; prints the address.
 * `prepare` migrates or fills the database before the servers start, and may return a sign-in.
 */
export async function startProduct(
  lifecycle: Lifecycle,
  settings: Settings,
  prepare: (databaseUrl: string, say: Say) => Promise<SignIn | null> = async () => null,
): Promise<void> {
  const logOf = openLog(lifecycle, settings)
  const log = logOf('switchboard')
  const say: Say = (...lines) => announce(log, lines)
  await startTracing(lifecycle, settings, 'switchboard')
  // Loading the servers takes as long as starting PostgreSQL in its own process, so both run in parallel.
  const [urls, { startServers }] = await Promise.all([databaseFor(settings, lifecycle, log), import('./servers.ts')])
  const prepared = await prepare(urls.directUrl, say)
  const { address, aiAddress, opsAddress, aiOpsAddress, firstAdmin } = await startServers(lifecycle, settings, {
    urls,
    logOf,
  })
  const signIn =
    firstAdmin === null ? prepared : { ...firstAdmin, password: passwordHint(firstAdmin.password, settings) }
  // If PUBLIC_URL is set, the host check may refuse another name.
  const shown = settings.publicUrl === undefined ? await namedAddress(address) : address
  const lines = [
    `${settings.brandName} is ready: ${shown}`,
    ...(signIn === null ? [] : [`Sign in as  ${signIn.email}`, `Password    ${signIn.password}`]),
    `AI API      ${aiAddress}`,
    `API docs    ${shown}/docs`,
    `Metrics     ${opsAddress}/metrics, ${aiOpsAddress}/metrics`,
    `Data        ${settings.databaseUrl === undefined ? path.resolve(settings.dataDir) : 'the database of DATABASE_URL'}`,
  ]
  // Programs wait for the line that says that the product is ready, so it is the last one.
  say(...(process.stdout.isTTY ? ['', ...lines.map((line) => `  ${line}`), ''] : lines.toReversed()))
}

/** The database of the settings, or the embedded PostgreSQL with its backups. */
async function databaseFor(settings: Settings, lifecycle: Lifecycle, log: Log): Promise<DatabaseUrls> {
  if (settings.databaseUrl !== undefined) return requireDatabase(settings)
  const { dataDir, backupDir: folder, secretKeys: keys } = settings
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: (line) => announce(log, [line]),
  })
  lifecycle.onStop(() => postgres.stop())
  lifecycle.runAs(postgres.account)
  void postgres.ended.then(() =>
    lifecycle.fail(new StartError('PostgreSQL has ended. See postgres.log beside its data.')),
  )
  const { url } = postgres
  makeBackupFolder(folder)
  const place = { url, folder, keys }
  await backUpBeforeUpgrade(place, (line) => announce(log, [line]))
  void makeNightlyBackups({
    ...place,
    dataDir,
    now: () => new Date(),
    onFailure: (kind, reason) => log.error({ reason }, `the nightly ${kind} failed`),
    signal: lifecycle.signal,
  })
  return { url, directUrl: url }
}

function passwordHint(password: string, { superAdminPassword }: Settings): string {
  return superAdminPassword === undefined ? `${password}  (shown only now)` : 'the value of SUPER_ADMIN_PASSWORD'
}
