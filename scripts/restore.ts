import { grantedAccess } from '@switchboard/backup/access.queries'
import { type BackupFile, openBackupFile } from '@switchboard/backup/backup-file'
import { restoreBackup } from '@switchboard/backup/restore-backup'
import { unexplainedAccess } from '@switchboard/backup/unexplained-access'
import { checkAuditChain, type ChainState } from '@switchboard/database/audit/audit-chain'
import { deletedEnd } from '@switchboard/database/audit/deleted-months'
import { deletedMonths } from '@switchboard/database/audit/deleted-months.queries'
import { connect } from '@switchboard/database/connection/connect'
import { recount } from '@switchboard/database/recount'
import { connectionFault } from '@switchboard/database/start/connection-fault'
import { StartError } from '@switchboard/database/start/start-error'
import { checkSecretKeys } from '@switchboard/database/stored-secrets/stored-secrets'
import type { Database } from '@switchboard/database/tables'
import { startEmbeddedPostgres, urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { commandHere } from '@switchboard/server/settings/commands'
import { readSettings } from '@switchboard/server/settings/env'
import type { Kysely } from 'kysely'
import { argumentsOf, endCommand, runCommand } from './command.ts'

// `npm run restore FILE` fills an empty database with a backup, checks the audit log, the counters and the stored
// secrets, lists the access that the audit log does not explain, and lists the API keys, service tokens and members
// with access. `npm run restore FILE OLD` only lists those that have no access in OLD, the old database
// (postgresql://…) or its data folder, because they were revoked after the backup. The option `--unsigned` accepts a
// file that no known key has signed.

const SHOWN_MAX = 100

const { values, positionals, refuse } = argumentsOf(
  'restore',
  {
    FILE: 'fills an empty database with a backup',
    'FILE OLD': 'names only the access that the old database, or its data folder, does not have',
    'FILE --unsigned': 'accepts a file that no known key has signed',
  },
  { allowPositionals: true, options: { unsigned: { type: 'boolean', default: false } } },
)
const [file = refuse(), oldPlace, ...rest] = positionals
if (rest.length > 0) refuse()
const backup = await openFile(file).catch(endCommand)

await runCommand(
  async (url) => await restoreBackup(url, backup),
  async (db) => {
    const { made_at, version } = backup.header
    console.log(`Restored the backup that Switchboard ${version} made at ${made_at}.`)
    console.log('All sessions, sign-ins in progress, invitations, password resets and Undos are ended.')
    await checkAuditLog(db, backup)
    await checkCounters(db)
    await checkSecrets(db)
    await listAccess(db, made_at)
    await checkAccounts(db)
  },
)

async function openFile(name: string): Promise<BackupFile> {
  const keys = readSettings().secretKeys
  const opened = await openBackupFile(name, { keys, acceptsUnsigned: values.unsigned })
  if (!opened.isSigned)
    console.error(
      `${name} has no signature that can be checked: anyone who can write the file could have changed its rows.`,
    )
  return opened
}

async function checkAuditLog(db: Kysely<Database>, { header }: BackupFile): Promise<void> {
  let last: ChainState | undefined
  for await (const state of checkAuditChain(db, { noted: header.audit_end })) last = state
  if (last?.state === 'holds') {
    const deleted = deletedEnd(last.deleted).seq
    const unchecked = deleted > 0 ? ` Rows 1 to ${deleted} had been deleted.` : ''
    console.log(
      `The audit log holds: ${last.rows - deleted} rows.${unchecked} Its end is ${last.checked.seq}:${last.checked.hash}`,
    )
    return
  }
  const problem = last?.state === 'broken' ? ` ${last.problem}` : ''
  console.error(`The audit log does not hold.${problem} The file is undamaged, so the log was as broken in the backup.`)
  process.exitCode = 1
}

async function checkCounters(db: Kysely<Database>): Promise<void> {
  const differences = await recount(db)
  if (differences.length === 0) console.log('All counters are correct.')
  else console.error(`${differences.length} counters were wrong in the backup and have been corrected.`)
}

async function checkSecrets(db: Kysely<Database>): Promise<void> {
  try {
    await checkSecretKeys(db, readSettings().secretKeys)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Printed last, so that it is not overlooked above a long list. */
async function checkAccounts(db: Kysely<Database>): Promise<void> {
  const files = readSettings().auditFiles
  const accounts = await unexplainedAccess(db, files)
  if (accounts.length === 0) return
  console.error(
    `The audit log does not explain the access of ${accounts.length} accounts. Remove those that none of you created before you start the servers:`,
  )
  for (const { kind, id, name, role, reason } of accounts)
    console.error(`  ${kind} ${id} ${JSON.stringify(name)}, ${role}: ${reason}`)
  if (files === undefined && (await deletedMonths(db)).length > 0)
    console.error(`Their entries may be among the deleted ones: set AUDIT_FILES, and run "${commandHere('doctor')}".`)
  process.exitCode = 1
}

async function listAccess(db: Kysely<Database>, made_at: string): Promise<void> {
  const granted = await grantedAccess(db)
  const old = oldPlace === undefined ? [] : await accessTo(oldPlace)
  const ids = new Set(old.map(({ id }) => id))
  const listed = granted.filter(({ id }) => !ids.has(id))
  if (oldPlace === undefined)
    console.log(
      `Revocations after ${made_at} are not in the backup. Revoke again what you have revoked since, of all with access:`,
    )
  else if (listed.length === 0) console.log('The old database accepts each API key, service token and member too.')
  else console.log('Revoke again, because the old database does not accept them:')
  for (const { kind, id, name, about } of listed.slice(0, SHOWN_MAX)) console.log(`  ${kind} ${id} "${name}", ${about}`)
  if (listed.length > SHOWN_MAX) console.log(`  … and ${listed.length - SHOWN_MAX} more, in the lists of the console`)
}

async function accessTo(place: string) {
  const running = place.includes('://') ? place : urlOfRunning(place)
  const embedded =
    running === undefined ? await startEmbeddedPostgres({ dataDir: place, log: console.error }) : undefined
  const url = running ?? embedded?.url ?? ''
  const db = connectTo(url)
  try {
    return await grantedAccess(db)
  } catch (error) {
    throw connectionFault(error, { url, variable: 'OLD' })
  } finally {
    await db.destroy()
    await embedded?.stop()
  }
}

function connectTo(url: string): Kysely<Database> {
  try {
    return connect(url, { isPatient: true })
  } catch (error) {
    throw new StartError(`OLD ${error instanceof Error ? error.message : String(error)}.`, { cause: error })
  }
}
