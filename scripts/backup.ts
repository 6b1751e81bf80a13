import { existsSync } from 'node:fs'
import path from 'node:path'
import { createBackup } from '@switchboard/backup/create-backup'
import { newBackupFile } from '@switchboard/backup/own-backups'
import { StartError } from '@switchboard/database/start/start-error'
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
await runCommand(
  async (url) => {
    file = given ?? newBackupFile(readSettings().backupDir, new Date())
    if (existsSync(file)) throw new StartError(`${file} exists. Choose another name.`)
    await createBackup(url, file)
  },
  async () => console.log(`The backup is ${path.resolve(file)}. It contains secrets: store it like the database.`),
)
