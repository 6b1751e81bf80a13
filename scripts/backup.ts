import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { keepNewest, newBackupFile, newestBackupIn } from '@switchboard/backup/kept-backups'
import { makeBackup, type Recorded, verifyBackup } from '@switchboard/backup/recorded-backup'
import { StartError } from '@switchboard/database/start/start-error'
import { commandHere } from '@switchboard/server/settings/commands'
import { readSettings } from '@switchboard/server/settings/env'
import { endCommand, runCommand } from './command.ts'

// `npm run backup FILE` writes all data to a file, with or without running servers; without a name, to a new file in
// BACKUP_DIR, of which `--keep N` keeps only the newest N; with `-`, to standard output. `--verify` restores FILE, or the
// newest file in BACKUP_DIR, into a scratch database and compares. docs/operate/backup.md describes the file.

const STANDARD_OUTPUT = '-'

const { given, keep, isVerification, made_by } = argumentsOf(process.argv.slice(2))

await runCommand(
  async (url) => await (isVerification ? verify(url) : backUp(url)),
  async () => undefined,
)

async function backUp(url: string): Promise<void> {
  const { backupDir, secretKeys } = readSettings()
  const key = secretKeys.current
  const file = given ?? newBackupFile(backupDir, new Date())
  if (file === STANDARD_OUTPUT) noteUnrecorded(await makeBackup({ url, target: process.stdout, key, made_by }))
  else {
    if (existsSync(file)) throw new StartError(`${file} exists. Choose another name.`)
    noteUnrecorded(await makeBackup({ url, target: file, key, made_by }))
    console.log(`The backup is ${path.resolve(file)}. It contains secrets: store it like the database.`)
  }
  if (keep !== undefined) keepNewest(backupDir, 'switchboard', keep)
  if (key === null)
    console.error(
      'It is not signed, because SECRETS_KEY is not set: a restore cannot tell whether someone has changed it (docs/operate/secrets.md).',
    )
}

async function verify(url: string): Promise<void> {
  const { backupDir, secretKeys: keys } = readSettings()
  const file = given ?? newestBackupIn(backupDir)
  const verified = await verifyBackup({ url, file, keys, made_by })
  const { made_at, rows, audit_end } = verified.header
  const counts = Object.values(rows)
  console.log(
    `${path.resolve(file)} of ${made_at} can be restored: all ${counts.reduce((sum, count) => sum + count, 0)} rows of its ${counts.length} tables are there, and the audit log holds up to row ${audit_end.seq}.`,
  )
  noteUnrecorded(verified)
}

function noteUnrecorded({ unrecorded }: Recorded): void {
  if (unrecorded !== null) console.error(`The database has no record of it: ${unrecorded}.`)
}

function argumentsOf(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { verify: { type: 'boolean' }, keep: { type: 'string' }, timer: { type: 'boolean' } },
    })
    const [given, ...rest] = positionals
    const { verify: isVerification = false, keep, timer: isTimer = false } = values
    const isKeepingRight = keep === undefined || (/^[1-9]\d{0,3}$/.test(keep) && given === undefined && !isVerification)
    if (rest.length > 0 || !isKeepingRight) throw new StartError(usage())
    if (given === STANDARD_OUTPUT) refuseOtherOutput(isVerification)
    return {
      given,
      keep: keep === undefined ? undefined : Number(keep),
      isVerification,
      made_by: isTimer ? 'timer' : 'hand',
    } as const
  } catch (error) {
    return endCommand(error instanceof StartError ? error : new StartError(usage(), { cause: error }))
  }
}

function usage(): string {
  const [plain, kept, verified] = [[], ['--keep', 'N'], ['--verify', 'FILE']].map((words) =>
    commandHere('backup', ...words),
  )
  return `Run "${plain}", "${commandHere('backup', 'FILE')}", "${kept}" or "${verified}" (docs/operate/backup.md).`
}

/** Refuses standard output where other text would be in the backup. */
function refuseOtherOutput(isVerification: boolean): void {
  if (isVerification) throw new StartError('A verification needs a file.')
  if (process.stdout.isTTY) throw new StartError('Redirect standard output to a file: the backup is not text.')
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = process.env
  if (script !== undefined && level !== 'silent')
    throw new StartError('npm prints lines before the backup. Run "npm run -s backup -".')
}
