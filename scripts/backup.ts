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

const options = optionsOf(process.argv.slice(2))

await runCommand(
  async (url) => await (options.verify ? verify(url) : backUp(url)),
  async () => undefined,
)

async function backUp(url: string): Promise<void> {
  const { backupDir, secretKeys } = readSettings()
  const key = secretKeys.current
  const file = options.file ?? newBackupFile(backupDir, new Date())
  const isPiped = file === STANDARD_OUTPUT
  if (!isPiped && existsSync(file)) throw new StartError(`${file} exists. Choose another name.`)
  const target = isPiped ? process.stdout : file
  noteUnrecorded(await makeBackup({ url, target, key, made_by: options.timer ? 'timer' : 'hand' }))
  if (!isPiped) console.log(`The backup is ${path.resolve(file)}. It contains secrets: store it like the database.`)
  if (options.keep !== undefined) keepNewest(backupDir, 'switchboard', options.keep)
  if (key === null)
    console.error(
      'It is not signed, because SECRETS_KEY is not set: a restore cannot tell whether someone has changed it (docs/operate/secrets.md).',
    )
}

async function verify(url: string): Promise<void> {
  const { backupDir, secretKeys: keys } = readSettings()
  const file = options.file ?? newestBackupIn(backupDir)
  const verified = await verifyBackup({ url, file, keys, made_by: options.timer ? 'timer' : 'hand' })
  const { made_at, rows, audit_end } = verified.header
  const counts = Object.values(rows)
  const sum = counts.reduce((before, count) => before + count, 0)
  console.log(
    `${path.resolve(file)} of ${made_at} can be restored: all ${sum} rows of its ${counts.length} tables are there, and the audit log holds up to row ${audit_end.seq}.`,
  )
  noteUnrecorded(verified)
}

function noteUnrecorded({ unrecorded }: Recorded): void {
  if (unrecorded !== null) console.error(unrecorded)
}

function optionsOf(args: string[]) {
  const { values, positionals } = parsed(args)
  const { verify: isVerified = false, keep, timer = false } = values
  const [file, ...rest] = positionals
  const isKeeping = keep !== undefined
  if (rest.length > 0 || (isKeeping && (isVerified || file !== undefined || !/^[1-9]\d{0,3}$/.test(keep))))
    return endCommand(new StartError(usage()))
  if (file === STANDARD_OUTPUT) refuseOtherOutput(isVerified)
  return { file, verify: isVerified, keep: isKeeping ? Number(keep) : undefined, timer }
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { verify: { type: 'boolean' }, keep: { type: 'string' }, timer: { type: 'boolean' } },
    })
  } catch (error) {
    return endCommand(new StartError(usage(), { cause: error }))
  }
}

function usage(): string {
  const uses = [[], ['FILE'], ['--keep', 'N'], ['--verify', 'FILE']].map(
    (words) => `"${commandHere('backup', ...words)}"`,
  )
  return `Run ${uses.join(', ')} (docs/operate/backup.md).`
}

/** Refuses standard output where other text would be in the backup. */
function refuseOtherOutput(isVerified: boolean): void {
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = process.env
  if (isVerified) endCommand(new StartError('A verification needs a file.'))
  if (process.stdout.isTTY) endCommand(new StartError('Redirect standard output to a file: a backup is not text.'))
  if (script !== undefined && level !== 'silent')
    endCommand(new StartError('npm prints lines before the backup. Run "npm run -s backup -".'))
}
