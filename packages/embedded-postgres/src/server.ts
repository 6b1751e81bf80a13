import { chownSync, closeSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, accountCan } from './account.ts'
import { adoptCluster } from './cluster.ts'
import { openLog } from './log.ts'
import { endOrphan, readPostmasterFile, send, pidOfOtherProcess } from './orphan.ts'
import { clusterPassword, requirePassword } from './password.ts'
import { settingArgs } from './settings.ts'
import { type Watched, watch } from './watchdog.ts'
import { StartError } from '@switchboard/database/start/start-error'
import { START_MS, untilStarted } from '@switchboard/database/start/until-started'

/** Longest socket path: 103 bytes on macOS, 107 on Linux. PostgreSQL appends `/.s.PGSQL.5432` to the folder. */
const SOCKET_FOLDER_MAX = 103 - '/.s.PGSQL.5432'.length

/** After this time the server is stopped without a checkpoint; recovery from the log follows at the next start. */
const STOP_PATIENCE_MS = 20_000

const RETRY_MS = 250

export type Server = {
  url: string
  /** Resolves after the end of the server, for any reason. */
  ended: Promise<void>
  stop: () => Promise<void>
}

export type ServerOptions = {
  bin: string
  cluster: string
  account: Account | undefined
  durable: boolean
  log: (line: string) => void
  /** Settings of PostgreSQL in addition to, or in place of, the usual ones. */
  settings?: Record<string, string>
  /** Major version of `bin`; by default of the embedded binaries. */
  major?: number
}

/** After this time, in milliseconds, a start says that it waits for PostgreSQL. */
export const NOTICE_MS = 5_000

/** Processes of a killed PostgreSQL take a while to end on a busy machine. */
const IS_STILL_ENDING = /pre-existing shared memory block|lock file "[^"]*" already exists/

/**
 * Starts PostgreSQL over a complete cluster (POSIX), reachable through a socket in a private folder only; resolves when
 * PostgreSQL accepts queries. Waits for the end of an earlier PostgreSQL over the cluster.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const deadline = performance.now() + START_MS
  for (;;) {
    const started = await startOnce(options)
    if ('url' in started) return started
    if (!IS_STILL_ENDING.test(started.problem) || performance.now() > deadline)
      throw new StartError(`PostgreSQL did not start: ${started.problem}.`)
    await sleep(RETRY_MS)
  }
}

async function startOnce(options: ServerOptions): Promise<Server | { problem: string }> {
  const { bin, cluster, account, durable, log, major, settings: more = {} } = options
  await endOrphan(cluster)
  adoptCluster(cluster, account)
  const password = clusterPassword(cluster)
  const socketFolder = privateFolder(account)
  const serverLog = openLog(dirname(cluster))
  const otherPid = pidOfOtherProcess(cluster)
  const access = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
  }
  const settings = settingArgs(durable, { ...access, ...more }, major)
  const watched = watch(join(bin, 'postgres'), ['-D', cluster, ...settings], {
    account,
    folder: socketFolder,
    stderr: serverLog.fd,
    env: otherPid === undefined ? {} : { PG_GRANDPARENT_PID: `${otherPid}` },
  })
  closeSync(serverLog.fd)
  const notice = setTimeout(() => log('Waiting for PostgreSQL, which starts or recovers its data …'), NOTICE_MS)
  const isReady = await untilReady(watched, cluster, socketFolder).finally(() => clearTimeout(notice))
  if (!isReady) return { problem: `${serverLog.reason()} (${serverLog.path})` }
  const url = socketUrl(socketFolder, password)
  const { signal } = new AbortController()
  await untilStarted('PostgreSQL', () => requirePassword(cluster, url), { ms: START_MS, say: log, signal })
  return {
    url,
    ended: watched.exited.then(() => {}),
    stop: () => stopServer(watched, cluster),
  }
}

/** The URL of the server with a socket in this folder. */
export function socketUrl(socketFolder: string, password: string): string {
  return `postgresql://switchboard:${password}@localhost/postgres?host=${encodeURIComponent(socketFolder)}`
}

/** A folder with a short path, only for `account` and root. */
function privateFolder(account: Account | undefined): string {
  const isUsable = (folder: string) =>
    Buffer.byteLength(join(folder, 'switchboard-XXXXXX')) <= SOCKET_FOLDER_MAX &&
    // Commas and quotes are syntax in the setting.
    /^[\w/.-]+$/.test(folder) &&
    (account === undefined || accountCan(account, 'cd "$1"', folder))
  const folder = mkdtempSync(join(isUsable(tmpdir()) ? tmpdir() : '/tmp', 'switchboard-'))
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  return folder
}

/**
 * PostgreSQL writes its state to `postmaster.pid`; reading this file is faster than connecting and leaves no log lines.
 */
async function untilReady(watched: Watched, cluster: string, socketFolder: string): Promise<boolean> {
  const ended = watched.exited.then(() => true)
  do {
    const file = readPostmasterFile(cluster)
    // Each start has a new folder, so the file of an earlier server never matches.
    if (file?.isReady === true && file.socketFolder === socketFolder) return true
  } while (!(await Promise.race([ended, sleep(5, false)])))
  return false
}

async function stopServer(watched: Watched, cluster: string): Promise<void> {
  const pid = readPostmasterFile(cluster)?.pid
  watched.stop()
  const timeout = setTimeout(() => {
    if (pid !== undefined) send('SIGQUIT', pid)
  }, STOP_PATIENCE_MS)
  await watched.exited
  clearTimeout(timeout)
}
