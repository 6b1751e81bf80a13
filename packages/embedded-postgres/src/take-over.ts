import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installedBinaries } from './binaries.ts'
import { DRAFT, majorOf, syncFolder } from './cluster.ts'
import { type Server, type ServerOptions, startServer } from './server.ts'
import { MAJOR } from './settings.ts'
import { StartError } from '@switchboard/database/start/start-error'

/** Copies a database to an empty one, by their URLs. */
export type CopyDatabase = (from: string, to: string) => Promise<void>

type TakeOverOptions = Omit<ServerOptions, 'bin'> & {
  /** Major version of the old data. */
  major: number
  /** Starts a server over a new cluster in this folder. */
  newServer: (folder: string) => Promise<Server>
  copyDatabase: CopyDatabase | undefined
}

/**
 * Copies the data of an earlier major version to a new cluster, which takes the place of `cluster`. The old data is kept as
 * `postgres-MAJOR` beside it. A kill at any moment leaves the old cluster or the complete new one in place. Throws a
 * StartError without the programs of the old version.
 */
export async function takeOver({ newServer, copyDatabase, ...old }: TakeOverOptions): Promise<void> {
  const { cluster, account, major, log } = old
  const bin = installedBinaries(major, account)
  const kept = keptFolder(cluster, major)
  if (bin === undefined || copyDatabase === undefined) throw withoutPrograms(cluster, major)
  if (existsSync(kept)) throw new StartError(`${kept} is data of an earlier start. Move it away.`)
  log(`Copying the data of PostgreSQL ${major} to PostgreSQL ${MAJOR} …`)
  const draft = join(dirname(cluster), `${DRAFT}upgrade`)
  const from = await startServer({ ...old, bin })
  try {
    const to = await newServer(draft)
    try {
      await copyDatabase(from.url, to.url)
    } finally {
      await to.stop()
    }
  } finally {
    await from.stop()
  }
  renameSync(draft, finishedFolder(cluster))
  syncFolder(dirname(cluster))
  finishTakeOver(cluster)
  log(`The data of PostgreSQL ${major} is kept in ${kept}. Remove it when the new data has proven itself.`)
}

/** Puts a completely copied cluster in place of the old one, also after a kill. */
export function finishTakeOver(cluster: string): void {
  const finished = finishedFolder(cluster)
  if (!existsSync(finished)) return
  const major = majorOf(cluster)
  if (major !== undefined) renameSync(cluster, keptFolder(cluster, major))
  renameSync(finished, cluster)
  syncFolder(dirname(cluster))
}

function finishedFolder(cluster: string): string {
  return join(dirname(cluster), 'postgres-upgraded')
}

function keptFolder(cluster: string, major: number): string {
  return join(dirname(cluster), `postgres-${major}`)
}

function withoutPrograms(cluster: string, major: number): StartError {
  return new StartError(
    `${cluster} was written by PostgreSQL ${major}, but this Switchboard brings ${MAJOR}. Install PostgreSQL ${major} (on Debian the package postgresql-${major}) and start again: the data is copied. Or move the folder away and restore a backup.`,
  )
}
