import { parseDatabaseUrl } from '@switchboard/database/connection/database-url'
import { type DatabaseUrls, encryptionWarnings } from '@switchboard/server/process/open-database'
import type { Settings } from '@switchboard/server/settings/env'
import { VERSION } from '@switchboard/server/settings/version'
import { type Check, failed, ok, warning } from './finding.ts'

const OLDEST_NODE = 26

/** Checks of the settings and of the running Node, without the network. */
export function settingsChecks(settings: Settings, urls: DatabaseUrls): Check[] {
  const isShared = settings.databaseUrl !== undefined
  return [
    ['version', () => checkVersions(process.versions.node)],
    [
      'webhook secret',
      () =>
        isShared && settings.webhookSecrets === undefined
          ? failed('WEBHOOK_SECRET is not set. Set 32 characters or more, the same for admin-api and ai-api.')
          : ok(settings.webhookSecrets === undefined ? 'Generated, stored in DATA_DIR.' : 'Set.'),
    ],
    [
      'public address',
      () =>
        isShared && settings.publicUrl === undefined
          ? warning('PUBLIC_URL is not set, so every host name is served. Set it to the address of the console.')
          : ok(settings.publicUrl ?? 'Every host name is served.'),
    ],
    [
      'proxy',
      () =>
        settings.publicUrl?.startsWith('https:') === true && settings.trustProxy === false
          ? warning(
              'TRUST_PROXY is not set, so all visitors behind the TLS proxy share its address and its limit of failed sign-ins. Set it to the address of the proxy.',
            )
          : ok(settings.trustProxy === false ? 'None is trusted.' : `Trusted: ${settings.trustProxy.join(', ')}.`),
    ],
    [
      'encryption',
      () => {
        const warnings = encryptionWarnings(urls)
        if (warnings.length > 0) return warning(warnings.join(' '))
        const parsed = [urls.url, urls.directUrl].map(parseDatabaseUrl)
        if (parsed.every(({ encryption }) => encryption === 'verified'))
          return ok('The connections to the database are encrypted, and its certificate is checked.')
        return ok(
          parsed.every(({ hosts }) => hosts.every(({ isLocal }) => isLocal))
            ? 'The connections to the database are not encrypted, but they do not leave this machine.'
            : 'The connections to the database are not encrypted, as sslmode=disable says. Its network must be isolated.',
        )
      },
    ],
  ]
}

/** Compares a version of Node with the oldest supported one. */
export function checkVersions(node: string) {
  return Number.parseInt(node) < OLDEST_NODE
    ? failed(`This is Node ${node}. Install Node ${OLDEST_NODE} or later.`)
    : ok(`Switchboard ${VERSION} on Node ${node}.`)
}
