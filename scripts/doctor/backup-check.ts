import { isUnverifiedFor, newestBackups } from '@switchboard/backup/backups.queries'
import { BACKUP_LATE_HOURS } from '@switchboard/contract/system'
import type { Database } from '@switchboard/database/tables'
import type { Settings } from '@switchboard/server/settings/env'
import { commandHere } from '@switchboard/server/settings/commands'
import type { Kysely } from 'kysely'
import { databaseTimeMs } from './database.queries.ts'
import { ok, warning } from './finding.ts'

/** A backup of a month ago may have been the last one that could be restored. */
const VERIFIED_DAYS = 35

const HOUR_MS = 3_600_000

/** Whether there is a recent backup, and whether one was verified lately. */
export async function checkBackups(db: Kysely<Database>, { databaseUrl }: Settings) {
  const nightly =
    databaseUrl === undefined
      ? 'The servers make one each night: start them, or read their log.'
      : `Run "${commandHere('backup')}" each night from a timer (docs/operate/backup.md).`
  const { newest, verified_at, failure } = await newestBackups(db)
  if (failure !== null) return warning(`The last ${failure.kind} failed at ${failure.at}: ${failure.problem}`)
  if (newest === null) return warning(`None is recorded. ${nightly}`)
  const hours = Math.floor(((await databaseTimeMs(db)) - Date.parse(newest.at)) / HOUR_MS)
  const verified = verified_at === null ? 'none was verified yet' : `the last verification at ${verified_at}`
  const text = `The newest ended ${hours} hours ago, ${verified}.`
  if (hours >= BACKUP_LATE_HOURS) return warning(`${text} ${nightly}`)
  return (await isUnverifiedFor(db, VERIFIED_DAYS))
    ? warning(`${text} Run "${commandHere('backup', '--verify')}".`)
    : ok(text)
}
