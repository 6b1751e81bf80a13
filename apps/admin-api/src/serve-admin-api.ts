import { existsSync } from 'node:fs'
import path from 'node:path'
import { createOwnBackups } from '@switchboard/backup/own-backups'
import { RATE_LIMITS } from '@switchboard/contract/auth/rate-limits'
import { finishSingleSignOn } from '@switchboard/contract/single-sign-on'
import type { ConsoleSettings } from '@switchboard/contract/wire/console-settings'
import { checkSecretKeys } from '@switchboard/database/stored-secrets/stored-secrets'
import { untilStarted } from '@switchboard/database/start/until-started'
import type { Database } from '@switchboard/database/tables'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createMailer } from '@switchboard/mail/mailer'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { drainOnStop } from '@switchboard/server/process/drain'
import { openClock } from '@switchboard/server/process/machine-clock'
import type { Settings } from '@switchboard/server/settings/env'
import type { Log } from '@switchboard/server/process/log'
import { type DatabaseUrls, openPool, patienceOf } from '@switchboard/server/process/open-database'
import { serveOps } from '@switchboard/server/process/ops'
import { close, type Lifecycle, listen } from '@switchboard/server/process/serve'
import { COMMAND_RUNNER } from '@switchboard/server/settings/commands'
import { VERSION } from '@switchboard/server/settings/version'
import type { Kysely } from 'kysely'
import { buildAdminApi } from './app.ts'
import { logAuditEnd } from '#src/activity/audit-end.ts'
import { createFirstAdmin, type Credentials } from '#src/users/super-admins.service.ts'
import { liveDeps } from './live-deps.ts'
import { createAiApiClient } from '#src/tasks/runs/ai-api.client.ts'
import { watchWorkers } from '#src/signals/alerts/worker-silence.service.ts'
import { settingsOfProcess } from '#src/system/settings-of-process.ts'
import { createSingleSignOn } from '#src/auth/single-sign-on/single-sign-on.client.ts'

/** Parallel streams of whole lists: a limit, so that slow clients cannot exhaust the connections. */
const STREAM_CONNECTIONS = 4

type AdminApiProcess = {
  db: Kysely<Database>
  urls: DatabaseUrls
  log: Log
  /** Origin of ai-api, and the shared secret for signing webhooks. */
  aiApiUrl: string
  webhookSecret: string
}

/**
 * Serves admin-api and the built console over a migrated database until the process ends. Returns the address, and the
 * first super admin if this start created the account. Throws a StartError for an occupied port,
 * and when a stored secret is encrypted with an unknown key.
 */
export async function serveAdminApi(
  lifecycle: Lifecycle,
  settings: Settings,
  { db, urls, log, aiApiUrl, webhookSecret }: AdminApiProcess,
): Promise<{ address: string; opsAddress: string; firstAdmin: Credentials | null }> {
  const patience = patienceOf(lifecycle, settings, log)
  await untilStarted('the database', () => checkSecretKeys(db, settings.secretKeys), patience)
  const streamDb = openPool(urls, { max: STREAM_CONNECTIONS }, log)
  lifecycle.onStop(() => streamDb.destroy())
  const clock = await untilStarted('the database', () => openClock(db, log), patience)
  lifecycle.onStop(async () => clock.stop())
  const queueOptions = { db, directUrl: urls.directUrl, log, isWorker: false }
  const queue = await untilStarted('the job queue', () => openRunQueue(queueOptions), patience)
  lifecycle.onStop(() => queue.stop())
  const { host, port, sockets, trustProxy, drainSeconds, publicUrl, securityContact, opsHost, opsPort } = settings
  const aiApi = createAiApiClient({ url: aiApiUrl, secret: webhookSecret })
  lifecycle.onStop(() => aiApi.close())
  const singleSignOn =
    settings.oidc === null
      ? null
      : createSingleSignOn(
          settings.oidc,
          `${settings.oidc.publicUrl}${finishSingleSignOn.url}`,
          log,
          settings.outboundProxies,
        )
  const deps = await liveDeps(
    {
      db,
      streamDb,
      log,
      now: clock.now,
      secretKeys: settings.secretKeys,
      auditRetention: settings.auditRetention,
      aiApi,
      queue,
      mails: queue.mails,
      addressGuard: createAddressGuard(settings.webhookNetworks),
      mailer: createMailer(settings.mail, settings.brandName),
      rateLimits: RATE_LIMITS,
      trustProxy,
      publicUrl,
      portalUrl: settings.portalUrl,
      securityContact,
      consoleSettings: consoleSettings(settings),
      shownSettings: settingsOfProcess(settings),
      backups:
        settings.databaseUrl === undefined
          ? createOwnBackups({
              url: urls.directUrl,
              folder: settings.backupDir,
              key: settings.secretKeys.current,
              now: clock.now,
              onFailure: (error) => log.error({ err: error }, 'the backup failed'),
            })
          : null,
      consoleFolder: builtConsole(),
      singleSignOn,
      isPasswordSignInOn: settings.isPasswordSignInOn,
    },
    settings,
  )
  lifecycle.onStop(() => Promise.all([deps.places.close(), deps.photos.close(), singleSignOn?.close()]))
  const app = await buildAdminApi(deps)
  lifecycle.onStop(() => close(app))
  drainOnStop(lifecycle, app, drainSeconds)
  const address = await listen(app, { host, port, variable: 'PORT', sockets }, patience)
  const opsAddress = await serveOps(lifecycle, app, { host: opsHost, port: opsPort, variable: 'OPS_PORT', patience })
  lifecycle.onStop(logAuditEnd({ db, log }))
  const watch = watchWorkers(deps)
  lifecycle.onStop(() => watch.stop())
  // Not awaited: people sign in with a password while the identity provider cannot be reached.
  void singleSignOn?.warmUp()
  // Last, because the password is shown once: no failure may come between its creation and its output.
  const { superAdminEmail: email, superAdminPassword: password = null } = settings
  return { address, opsAddress, firstAdmin: await createFirstAdmin(deps, { email, password }, patience) }
}

/** Without a built console only the API is served. */
function builtConsole(): string | null {
  const folder = path.resolve(import.meta.dirname, '../../console/dist')
  return existsSync(path.join(folder, 'index.html')) ? folder : null
}

/** Settings of the console. */
export function consoleSettings({ oidc, isPasswordSignInOn, mail, ...settings }: Settings): ConsoleSettings {
  const { brandName, platformDomain, defaultAllowedOrigin, sampleMaps } = settings
  return {
    brand_name: brandName,
    platform_domain: platformDomain,
    default_allowed_origin: defaultAllowedOrigin,
    sample_maps: sampleMaps,
    mail: mail !== null,
    version: VERSION,
    command_runner: COMMAND_RUNNER,
    sign_in: oidc === null ? 'password' : isPasswordSignInOn ? 'both' : 'sso',
  }
}
