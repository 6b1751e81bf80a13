import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { SystemBackups } from '@switchboard/contract/system'
import { reasonOf } from '@switchboard/database/start/reason'
import { fileError } from '@switchboard/database/start/start-error'
import type { SecretKey } from '@switchboard/database/stored-secrets/encryption'
import { createBackup } from './create-backup.ts'
import { makeBackupFolder } from './kept-backups.ts'

/** The backups that a server with the embedded PostgreSQL makes when asked, in addition to the nightly ones. */
export type OwnBackups = {
  /** The newest backup of the folder, and the backup that is being made. */
  state: () => Promise<SystemBackups>
  /** Starts a backup in the background. False while one is being made. */
  start: () => boolean
}

type Options = {
  url: string
  folder: string
  /** Signs the backups. Null: they are not signed. */
  key: SecretKey | null
  now: () => Date
  /** Receives the error of a failed backup. */
  onFailure: (error: unknown) => void
}

/** Creates the backups of one process, which is the only server of its database. */
export function createOwnBackups({ url, folder, key, now, onFailure }: Options): OwnBackups {
  let runningSince: string | null = null
  let problem: string | null = null

  const run = async (): Promise<void> => {
    try {
      await createBackup(url, newBackupFile(folder, now()), key)
      problem = null
    } catch (error) {
      problem = reasonOf(fileError(error, folder))
      onFailure(error)
    } finally {
      runningSince = null
    }
  }

  return {
    async state() {
      const running = { folder: path.resolve(folder), is_signed: key !== null, running_since: runningSince }
      try {
        return { ...running, newest: await newestBackup(folder), problem }
      } catch (error) {
        return { ...running, newest: null, problem: `${running.folder} cannot be read: ${reasonOf(error)}.` }
      }
    },
    start() {
      if (runningSince !== null) return false
      runningSince = now().toISOString()
      void run()
      return true
    },
  }
}

/** The name of a new backup in a folder, which is created unless it exists. Throws a StartError. */
export function newBackupFile(folder: string, now: Date): string {
  makeBackupFolder(folder)
  return path.join(folder, `switchboard-${now.toISOString().replaceAll(':', '-')}.backup`)
}

async function newestBackup(folder: string): Promise<SystemBackups['newest']> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.backup'))
  const files = await Promise.all(
    names.map(async (name) => {
      const { mtime, size } = await stat(path.join(folder, name))
      return { name, made_at: mtime.toISOString(), bytes: size }
    }),
  )
  return files.toSorted((one, other) => other.made_at.localeCompare(one.made_at))[0] ?? null
}
