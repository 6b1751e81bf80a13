import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { initdbArgs } from './initdb.ts'
import { passwordFile } from './password.ts'
import type { Server, ServerOptions } from './server.ts'
import { settingArgs } from './settings.ts'
import { StartError } from '@switchboard/database/start/start-error'

// Best effort: no test runs on Windows. PostgreSQL uses a loopback port and a password there. Without a watchdog,
// PostgreSQL survives a kill of this process until the next start over the same folder, which stops the old server
// first.

const run = promisify(execFile)

/** Like `initdb` of initdb.ts, with a random password in a file beside the cluster. */
export async function initdbOnWindows(bin: string, cluster: string, draft: string, durable: boolean): Promise<void> {
  writeFileSync(passwordFile(cluster), randomBytes(24).toString('base64url'), { mode: 0o600 })
  const args = [...initdbArgs(draft, 'C', durable), '--auth=scram-sha-256', `--pwfile=${passwordFile(cluster)}`]
  await runProgram(join(bin, 'initdb.exe'), args)
}

/** Like `startServer` of server.ts. `pg_ctl` also drops the rights of an administrator, as postgres.exe requires. */
export async function startServerOnWindows({ bin, cluster, durable }: ServerOptions): Promise<Server> {
  const control = (...args: string[]) => runProgram(join(bin, 'pg_ctl.exe'), [...args, '-w', '-D', cluster])
  const stop = () => control('stop', '-m', 'fast')
  // No running server is the usual case, and an error here; a server that keeps running makes the start below fail with
  // a reason.
  await Promise.allSettled([stop()])
  const port = await freePort()
  const options = settingArgs(durable, { port: `${port}`, listen_addresses: '127.0.0.1' }).join(' ')
  await control('start', '-l', join(dirname(cluster), 'postgres.log'), '-o', options)
  const password = readFileSync(passwordFile(cluster), 'utf8')
  return { url: `postgresql://switchboard:${password}@127.0.0.1:${port}/postgres`, ended: new Promise(() => {}), stop }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address !== null ? address.port : 5432
}

async function runProgram(program: string, args: string[]): Promise<void> {
  try {
    await run(program, args, { windowsHide: true })
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.split('\n').find((line) => /error|FATAL/i.test(line)) : undefined
    throw new StartError(`PostgreSQL did not start: ${reason ?? program}`, { cause: error })
  }
}
