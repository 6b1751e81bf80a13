import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import { type Account, initdbAccount, unprivilegedAccount } from '@switchboard/embedded-postgres/account'
import { watch } from '@switchboard/embedded-postgres/watchdog'
import { sql } from 'kysely'
import { dataFolder } from './server-process.ts'

/** Where Debian and Ubuntu install PostgreSQL: one folder for each major version. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** How long an empty server may take to start, in milliseconds. */
const START_MS = 120_000

/** The program folders of the PostgreSQL versions installed on this machine. */
export function installedPostgres(): string[] {
  if (!existsSync(DEBIAN_FOLDER)) return []
  const bins = readdirSync(DEBIAN_FOLDER).map((version) => path.join(DEBIAN_FOLDER, version, 'bin'))
  return bins.filter((bin) => existsSync(path.join(bin, 'postgres')))
}

export type InstalledPostgres = {
  url: string
  /** The ids of the first process and of its children (Linux). */
  processes: () => number[]
  /** Starts the server again after its processes were killed. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts a server from the programs in `bin`, reachable by a socket only: an empty server, or a standby of the server at
 * `primaryUrl`. `stop` also removes the data.
 */
export async function startInstalledPostgres(bin: string, primaryUrl?: string): Promise<InstalledPostgres> {
  const folder = dataFolder()
  const unprivileged = unprivilegedAccount()
  const account = unprivileged === undefined ? undefined : initdbAccount(unprivileged)
  const [cluster, socketFolder] = [path.join(folder, 'cluster'), path.join(folder, 'socket')]
  makeFolder(cluster, 0o700, account)
  // Servers started as root reach the socket under a separate account.
  makeFolder(socketFolder, 0o755, account)
  const [program, ...args] = primaryUrl === undefined ? INITDB : baseBackup(primaryUrl)
  const setup = watch(path.join(bin, program), ['-D', cluster, '--no-sync', ...args], {
    account,
    folder: '',
    stderr: 'pipe',
  })
  const [code, stderr] = await Promise.all([setup.exited, setup.stderr === null ? '' : text(setup.stderr)])
  if (code !== 0) throw new Error(stderr)
  const settings = ['listen_addresses=', `unix_socket_directories=${socketFolder}`, 'fsync=off']
  const url = `postgresql://switchboard@localhost/postgres?host=${encodeURIComponent(socketFolder)}`
  const startServer = () => {
    const started = watch(
      path.join(bin, 'postgres'),
      ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])],
      { account, folder: '', stderr: 'pipe' },
    )
    started.stderr?.resume()
    return started
  }
  let server = startServer()
  await untilAnswers(url)
  return {
    url,
    processes: () => {
      const first = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n', 1).map(Number)
      const children = readFileSync(`/proc/${first[0]}/task/${first[0]}/children`, 'utf8').trim()
      return [...first, ...children.split(' ').map(Number)]
    },
    start: async () => {
      await server.exited
      server = startServer()
      await untilAnswers(url)
    },
    stop: async () => {
      server.stop()
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const INITDB = ['initdb', '-U', 'switchboard', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'] as const

/** Copies a running server as a standby. */
function baseBackup(primaryUrl: string) {
  const host = new URL(primaryUrl).searchParams.get('host') ?? ''
  return ['pg_basebackup', '-U', 'switchboard', '-h', host, '--checkpoint=fast', '--write-recovery-conf'] as const
}

function makeFolder(folder: string, mode: number, account: Account | undefined): void {
  mkdirSync(folder, { mode })
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
}

async function untilAnswers(url: string): Promise<void> {
  const db = connect(url, { max: 1, onLost: () => undefined })
  const deadline = performance.now() + START_MS
  try {
    for (;;) {
      try {
        await sql`select 1`.execute(db)
        return
      } catch (error) {
        if (performance.now() > deadline) throw error
        await sleep(20)
      }
    }
  } finally {
    await db.destroy()
  }
}
