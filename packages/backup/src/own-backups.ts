import { StartError } from '@switchboard/database/start/start-error'
import type { SecretKey } from '@switchboard/database/stored-secrets/encryption'
import { newBackupFile } from './kept-backups.ts'
import { makeBackup } from './recorded-backup.ts'

/** The backups that a server with the embedded PostgreSQL makes when asked, in addition to the nightly ones. */
export type OwnBackups = {
  /** Start of the backup that is being made. */
  runningSince: () => string | null
  /** Starts a backup in the background. False while one is being made. */
  start: () => boolean
}

type Options = {
  url: string
  folder: string
  /** Signs the backups. Null: they are not signed. */
  key: SecretKey | null
  now: () => Date
  /** Receives the error of a backup that failed or is not recorded. */
  onFailure: (error: unknown) => void
}

/** Creates the backups of one process, which is the only server of its database. */
export function createOwnBackups({ url, folder, key, now, onFailure }: Options): OwnBackups {
  let runningSince: string | null = null

  const run = async (): Promise<void> => {
    try {
      const { unrecorded } = await makeBackup({ url, target: newBackupFile(folder, now()), key, made_by: 'hand' })
      if (unrecorded !== null) throw new StartError(unrecorded)
    } catch (error) {
      onFailure(error)
    } finally {
      runningSince = null
    }
  }

  return {
    runningSince: () => runningSince,
    start() {
      if (runningSince !== null) return false
      runningSince = now().toISOString()
      void run()
      return true
    },
  }
}
