import { unexplainedAccess } from '@switchboard/backup/unexplained-access'
import { checkAuditChain } from '@switchboard/database/audit/audit-chain'
import { deletedEnd } from '@switchboard/database/audit/deleted-months'
import { deletedMonths } from '@switchboard/database/audit/deleted-months.queries'
import { connectionLimit } from '@switchboard/database/connection/connection-limit'
import { pendingMigrations } from '@switchboard/database/migrate'
import { wrongCounters } from '@switchboard/database/recount'
import { checkRights } from '@switchboard/database/start/check-rights'
import { checkSearchPath } from '@switchboard/database/start/check-search-path'
import { checkSettings } from '@switchboard/database/start/check-settings'
import { type Checked, checkNotifications, checkVersion, placeOf } from '@switchboard/database/start/start-checks'
import type { SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import { checkSecretKeys, countOutdated } from '@switchboard/database/stored-secrets/stored-secrets'
import type { Database } from '@switchboard/database/tables'
import type { DatabaseUrls } from '@switchboard/server/process/open-database'
import { commandHere } from '@switchboard/server/settings/commands'
import type { Settings } from '@switchboard/server/settings/env'
import type { Kysely } from 'kysely'
import { checkAlerts } from './alerts-check.ts'
import { checkBackups } from './backup-check.ts'
import { databaseSize, databaseTimeMs, isSuperuser, serverVersion, trigramVersions } from './database.queries.ts'
import { type Check, failed, ok, warning } from './finding.ts'
import { checkGivenSettings } from './given-settings-check.ts'
import { checkLogShipping } from './log-shipping-check.ts'
import { checkQueue } from './queue-check.ts'
import { checkWebhooks } from './webhooks-check.ts'

/** The longest unremarkable difference of two clocks, in milliseconds. */
const CLOCK_MS = 2_000
/** Connections that a process opens beside DATABASE_POOL. */
const BESIDE_POOL = 6

/** An unsealed entry that is older than this means that no worker seals. The alert has the same limit. */
const UNSEALED_SECONDS = 60

/** A connection through each of the two addresses. */
type Connections = { main: Kysely<Database>; direct: Kysely<Database>; urls: DatabaseUrls; settings: Settings }

/** The check without which no other check of the database makes sense. */
export function reachDatabase({ main, direct, urls }: Connections): Check[] {
  return [
    [
      'database',
      async () => {
        const [checkedMain, checkedDirect] = checkedOf({ main, direct, urls })
        await checkVersion(checkedDirect)
        await checkVersion(checkedMain)
        return ok(`PostgreSQL ${await serverVersion(direct)} at ${placeOf(urls.directUrl)}.`)
      },
    ],
  ]
}

/** Checks of the database before its tables are read. */
export function databaseChecks({ main, direct, urls, settings }: Connections): Check[] {
  const [checkedMain, checkedDirect] = checkedOf({ main, direct, urls })
  return [
    [
      'rights',
      async () => {
        await checkRights(checkedDirect)
        await checkSearchPath(direct, { isInstalled: false })
        return (await isSuperuser(direct)) && settings.databaseUrl !== undefined
          ? warning(
              'The role is a superuser of PostgreSQL. Use one that only owns this database (docs/operate/database.md).',
            )
          : ok('The role may migrate, write and make the schema of the jobs.')
      },
    ],
    [
      'pooler',
      async () => {
        await checkNotifications(checkedMain, checkedDirect)
        await checkSettings(checkedDirect)
        const isPooled = urls.url !== urls.directUrl
        return ok(isPooled ? 'Announcements over DATABASE_URL arrive at DATABASE_DIRECT_URL.' : 'None in between.')
      },
    ],
    ['session settings', () => checkGivenSettings(direct)],
    ['clock', () => checkClock(direct, Date.now)],
    ['connections', () => checkConnections(direct, settings.databasePool)],
    [
      'migrations',
      async () => {
        const pending = await pendingMigrations(direct)
        return pending.length === 0
          ? ok('The database has all migrations of this release.')
          : failed(`Pending: ${pending.join(', ')}. Run "${commandHere('db:migrate')}", or start a server.`)
      },
    ],
  ]
}

/** Checks of the data, in a database with all migrations. */
export function dataChecks({ direct, settings }: Connections): Check[] {
  return [
    ['extensions', () => checkExtensions(direct)],
    ['audit log', () => checkAuditLog(direct)],
    ['log shipping', () => checkLogShipping(direct, settings)],
    ['alerts', () => checkAlerts(direct)],
    ['webhooks', () => checkWebhooks(direct)],
    ['access', () => checkAccess(direct, settings)],
    ['counters', () => checkCounters(direct)],
    ['stored secrets', () => checkStoredSecrets(direct, settings.secretKeys)],
    ['queue', () => checkQueue(direct)],
    ['backups', () => checkBackups(direct, settings)],
    ['size', async () => ok(`The database has ${await databaseSize(direct)}.`)],
  ]
}

function checkedOf({ main, direct, urls }: Omit<Connections, 'settings'>): [Checked, Checked] {
  const isPooled = urls.url !== urls.directUrl
  return [
    { db: main, url: urls.url, variable: 'DATABASE_URL' },
    { db: direct, url: urls.directUrl, variable: isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL' },
  ]
}

/**
 * Compares the clock of this machine (`now`, in ms since the epoch) with the database's. The time of the query itself
 * does not count as a difference: the database may have read its clock at any moment of it.
 */
export async function checkClock(db: Kysely<Database>, now: () => number) {
  const sent = now()
  const database = await databaseTimeMs(db)
  const received = now()
  const ahead = Math.max(sent - database, 0) + Math.min(received - database, 0)
  const seconds = (Math.abs(ahead) / 1_000).toFixed(1)
  return Math.abs(ahead) < CLOCK_MS
    ? ok(`This machine and the database differ by ${seconds} s.`)
    : warning(
        `This machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database. Synchronize both clocks (NTP).`,
      )
}

async function checkConnections(db: Kysely<Database>, pool: number) {
  const { scope, used, max } = await connectionLimit(db)
  const text = `${used} of the ${max} connections of ${scope} are in use.`
  return max - used < pool + BESIDE_POOL
    ? warning(
        `${text} One more process opens up to ${pool + BESIDE_POOL}. Lower DATABASE_POOL, or raise the limit (docs/operate/database.md).`,
      )
    : ok(text)
}

async function checkExtensions(db: Kysely<Database>) {
  const { installed, available } = await trigramVersions(db)
  if (installed === null)
    return failed('pg_trgm is missing, so lists cannot be searched. Run: create extension pg_trgm')
  return available === null || available === installed
    ? ok(`pg_trgm ${installed}.`)
    : warning(`pg_trgm is ${installed}, the server has ${available}. Run: alter extension pg_trgm update`)
}

async function checkAuditLog(db: Kysely<Database>) {
  for await (const state of checkAuditChain(db)) {
    if (state.state === 'broken')
      return failed(`${state.problem} Keep a copy of the database, and compare it with a backup.`)
    if (state.state !== 'holds') continue
    const deleted = deletedEnd(state.deleted).seq
    const text = `${state.rows - deleted} rows hold, after ${deleted} deleted ones; ${state.unsealed.entries} entries are not sealed yet. The end is ${state.checked.seq}:${state.checked.hash}`
    const seconds = Math.round(state.unsealed.oldest_seconds)
    if (seconds > UNSEALED_SECONDS)
      return warning(
        `${text}. The oldest unsealed entry is ${seconds} s old, and until it is sealed, the owner of the database can change it without a trace. Start a worker, or read its log.`,
      )
    return ok(text)
  }
  return failed('The check of the chain has ended early.')
}

async function checkAccess(db: Kysely<Database>, { auditFiles }: Settings) {
  const [first, ...others] = await unexplainedAccess(db, auditFiles)
  if (first === undefined) return ok('The audit log explains the access of each member and service token.')
  const text = `Access that the audit log does not explain (${others.length + 1}): ${first.kind} ${first.id} ${JSON.stringify(first.name)}, ${first.role}: ${first.reason}.`
  return auditFiles === undefined && (await deletedMonths(db)).length > 0
    ? warning(`${text} Set AUDIT_FILES, so that the files with the deleted entries are read too.`)
    : failed(`${text} Remove it if none of you created it.`)
}

async function checkCounters(db: Kysely<Database>) {
  const [first, ...others] = await wrongCounters(db)
  return first === undefined
    ? ok('All agree with the rows.')
    : failed(
        `${others.length + 1} are wrong: ${first.where} is ${first.kept} instead of ${first.counted}. Run "${commandHere('db:recount')}".`,
      )
}

async function checkStoredSecrets(db: Kysely<Database>, keys: SecretKeys) {
  await checkSecretKeys(db, keys)
  if (keys.current === null)
    return warning(
      'SECRETS_KEY is not set, so the database and its backups show the secrets of authenticator apps, and the backups are not signed (docs/operate/secrets.md).',
    )
  const outdated = await countOutdated(db, keys)
  return outdated === 0
    ? ok('All are encrypted with SECRETS_KEY.')
    : warning(`${outdated} are not encrypted with SECRETS_KEY. Run "${commandHere('secrets:rotate')}".`)
}
