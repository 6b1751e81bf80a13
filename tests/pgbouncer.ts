import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unprivilegedAccount } from '@switchboard/embedded-postgres/account'
import { watch } from '@switchboard/embedded-postgres/watchdog'
import { Client } from 'pg'
import { blockOf } from './proxies.ts'
import { dataFolder } from './server-process.ts'

/** Where Debian and Ubuntu install PgBouncer. */
const PROGRAM = '/usr/sbin/pgbouncer'
/** How long PgBouncer may take to start, in milliseconds. */
const START_MS = 60_000

export const hasPgBouncer = existsSync(PROGRAM)

/**
 * Starts PgBouncer in transaction mode in front of the server of `postgresUrl`. `url` is `postgresUrl` through
 * PgBouncer. `settings` are additional lines of its configuration.
 */
export async function startPgBouncer(postgresUrl: string, settings: readonly string[] = []) {
  const folder = dataFolder()
  const account = unprivilegedAccount()
  const socketFolder = path.join(folder, 'socket')
  mkdirSync(socketFolder)
  if (account !== undefined) chownSync(socketFolder, account.uid, account.gid)
  const postgres = new URL(postgresUrl)
  const password = postgres.password === '' ? '' : ` password=${decodeURIComponent(postgres.password)}`
  const host = postgres.searchParams.get('host') ?? postgres.hostname
  const configuration = path.join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${host} port=${postgres.port === '' ? '5432' : postgres.port} user=${postgres.username}${password}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'listen_addr =',
    `unix_socket_dir = ${socketFolder}`,
    // Accepts every user without a password.
    'auth_type = any',
    ...settings,
  ]
  writeFileSync(configuration, `${lines.join('\n')}\n`)
  const server = watch(PROGRAM, ['-q', configuration], { account, folder: '', stderr: 'pipe' })
  server.stderr?.resume()
  const url = new URL(postgresUrl)
  url.password = ''
  for (const name of ['sslmode', 'sslrootcert']) url.searchParams.delete(name)
  url.searchParams.set('host', socketFolder)
  url.searchParams.set('port', '6432')
  await untilAnswers(url.toString())
  return {
    url: url.toString(),
    stop: async () => {
      server.stop()
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The settings of PgBouncer on a page in docs. */
export function documentedPoolerSettings(page: string): string[] {
  const [, settings = ''] = blockOf(page, 'ini').split('[pgbouncer]\n')
  return settings.trim().split('\n')
}

async function untilAnswers(url: string): Promise<void> {
  const deadline = performance.now() + START_MS
  for (;;) {
    const client = new Client(url)
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(20)
    }
  }
}
