import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Account } from './account.ts'
import { embeddedBinaries } from './binaries.ts'
import { accountOf, closeFolder, clusterFolder, createCluster, majorOf, removeDrafts } from './cluster.ts'
import { initdb } from './initdb.ts'
import { lockFolder } from './folder-lock.ts'
import { readPostmasterFile, pidOfOtherProcess } from './orphan.ts'
import { clusterPassword } from './password.ts'
import { NOTICE_MS, type Server, type ServerOptions, socketUrl, startServer } from './server.ts'
import { MAJOR } from './settings.ts'
import { initdbOnWindows, startServerOnWindows } from './windows.ts'
import { fileError, StartError } from '@switchboard/database/start/start-error'

export type EmbeddedOptions = {
  /** The folder for all lasting data; the cluster is its subfolder `postgres`. Created when missing. */
  dataDir: string
  /** Receives lines for the person at the terminal. */
  log: (line: string) => void
  /** False: a power failure may lose data, for tests. */
  durable?: boolean
  /** Settings of PostgreSQL in place of the usual ones, for benchmarks (POSIX). */
  settings?: Record<string, string>
}

/** A running server, and its account when this process is root. */
export type Embedded = Server & { account: Account | undefined }

const isWindows = process.platform === 'win32'

/**
 * Starts the bundled PostgreSQL over `dataDir`, which belongs to this process until `stop`. PostgreSQL ends with this
 * process, even after a kill. Throws a StartError with a one-line cause.
 */
export async function startEmbeddedPostgres({ dataDir, ...given }: EmbeddedOptions): Promise<Embedded> {
  const folder = resolve(dataDir)
  const unlocks = [lockFolder(folder)]
  const release = () => unlocks.splice(0).forEach((unlock) => unlock())
  try {
    const account = accountOf(folder)
    closeFolder(folder, account)
    const cluster = clusterFolder(folder, account)
    if (dirname(cluster) !== realpathSync(folder)) {
      given.log(
        `The database is in ${dirname(cluster)}, because PostgreSQL does not run as root and cannot reach ${folder}.`,
      )
      // A copy of this folder would link to the same data.
      unlocks.push(lockFolder(dirname(cluster)))
      closeFolder(dirname(cluster), account)
    }
    const server = await startCluster({ cluster, account, durable: true, ...given })
    void server.ended.then(release)
    return { ...server, account, stop: () => server.stop().then(release) }
  } catch (error) {
    release()
    throw fileError(error, folder)
  }
}

/** The URL of the embedded PostgreSQL of another process over `dataDir`, for commands beside a server. */
export function urlOfRunning(dataDir: string): string | undefined {
  const folder = resolve(dataDir)
  if (isWindows || !existsSync(join(folder, 'postgres'))) return undefined
  const cluster = clusterFolder(folder, accountOf(folder))
  const file = readPostmasterFile(cluster)
  const isRunning = file?.isReady === true && pidOfOtherProcess(cluster) === undefined
  return isRunning ? socketUrl(file.socketFolder, clusterPassword(cluster)) : undefined
}

async function startCluster(options: Omit<ServerOptions, 'bin'>): Promise<Server> {
  const { cluster, account } = options
  removeDrafts(cluster)
  const major = majorOf(cluster)
  if (major !== undefined && major < MAJOR)
    throw new StartError(
      `${cluster} was written by PostgreSQL ${major}, but this Switchboard brings ${MAJOR}. Make a backup with the Switchboard that wrote it, move the folder away, and restore the backup.`,
    )
  const bin = embeddedBinaries(account)
  if (major === undefined) await createNew(bin, options)
  return await start({ ...options, bin })
}

async function createNew(bin: string, { cluster, account, durable, log }: Omit<ServerOptions, 'bin'>): Promise<void> {
  const notice = setTimeout(() => log('Waiting for PostgreSQL, which creates its data …'), NOTICE_MS)
  await createCluster(cluster, account, (draft, maker) =>
    isWindows ? initdbOnWindows(bin, cluster, draft, durable) : initdb(bin, draft, maker, durable),
  ).finally(() => clearTimeout(notice))
}

const start = isWindows ? startServerOnWindows : startServer
