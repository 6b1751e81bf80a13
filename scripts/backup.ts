import { existsSync } from 'node:fs'
import path from 'node:path'
import { createBackup } from '@switchboard/backup/create-backup'
import { newBackupFile } from '@switchboard/backup/own-backups'
import { StartError } from '@switchboard/database/start/start-error'
import type { SecretKey } from '@switchboard/database/stored-secrets/encryption'
import { commandHere } from '@switchboard/server/settings/commands'
import { readSettings } from '@switchboard/server/settings/env'
import { runCommand } from './command.ts'

// `npm run backup FILE` writes all data to a file, with or without running servers; without a name, to a new file in
// BACKUP_DIR. docs/operate/backup.md describes the file.

const [given, ...rest] = process.argv.slice(2)
if (rest.length > 0) {
  console.error(`Run "${commandHere('backup')}", or "${commandHere('backup', 'FILE')}".`)
  process.exit(1)
}

let file = ''
let key: SecretKey | null = null
await runCommand(
  async (url) => {
    const { backupDir, secretKeys } = readSettings()
    key = secretKeys.current
    file = given ?? newBackupFile(backupDir, new Date())
    if (existsSync(file)) throw new StartError(`${file} exists. Choose another name.`)
    await createBackup(url, file, key)
  },
  async () => {
    console.log(`The backup is ${path.resolve(file)}. It contains secrets: store it like the database.`)
    if (key === null)
      console.error(
        'It is not signed, because SECRETS_KEY is not set: a restore cannot tell whether someone has changed it (docs/operate/secrets.md).',
      )
  },
)
