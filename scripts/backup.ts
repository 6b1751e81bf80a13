import { existsSync } from 'node:fs'
import path from 'node:path'
import { keepNewest, newBackupFile, newestBackupIn } from '@switchboard/backup/kept-backups'
import { makeBackup, type Recorded, verifyBackup } from '@switchboard/backup/recorded-backup'
import { StartError } from '@switchboard/database/start/start-error'
import { readSettings } from '@switchboard/server/settings/env'
import { argumentsOf, endCommand, runCommand } from './command.ts'

// `npm run backup FILE` writes all data to a file, with or without running servers; without a name, to a new file in
// BACKUP_DIR, of which `--keep N` keeps only the newest N; with `-`, to standard output. `--verify` restores FILE, or the
// newest file in BACKUP_DIR, into a scratch database and compares. docs/operate/backup.md describes the file.

const STANDARD_OUTPUT = '-'

const options = readOptions()

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

function readOptions() {
  const { values, positionals, refuse } = argumentsOf(
    'backup',
    {
      '': 'writes all data to a new file in BACKUP_DIR',
      FILE: 'writes all data to this file, or with - to standard output',
      '--keep N': 'also removes all files in BACKUP_DIR but the newest N',
      '--verify': 'restores the newest file in BACKUP_DIR into a scratch database, and compares',
      '--verify FILE': 'restores this file into a scratch database, and compares',
    },
    {
      allowPositionals: true,
      options: {
        verify: { type: 'boolean', default: false },
        keep: { type: 'string' },
        timer: { type: 'boolean', default: false },
      },
    },
  )
  const { verify: isVerified, keep, timer } = values
  const [file, ...rest] = positionals
  const isKeeping = keep !== undefined
  if (rest.length > 0 || (isKeeping && (isVerified || file !== undefined || !/^[1-9]\d{0,3}$/.test(keep)))) refuse()
  if (file === STANDARD_OUTPUT && isVerified) refuse('A verification needs a file.')
  if (file === STANDARD_OUTPUT) refuseOtherOutput()
  return { file, verify: isVerified, keep: isKeeping ? Number(keep) : undefined, timer }
}

/** Refuses standard output where other text would be in the backup. */
function refuseOtherOutput(): void {
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = process.env
  if (process.stdout.isTTY) endCommand(new StartError('Redirect standard output to a file: a backup is not text.'))
  if (script !== undefined && level !== 'silent')
    endCommand(new StartError('npm prints lines before the backup. Run "npm run -s backup -".'))
}
