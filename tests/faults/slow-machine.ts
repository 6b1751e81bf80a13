import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { me } from '@switchboard/contract/auth/session'
import { tenantList } from '@switchboard/contract/tenants'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import {
  dataFolder,
  type Script,
  type ServerProcess,
  SHARED_SECRET,
  startProcess,
  tokenAt,
} from '#tests/server-process.ts'

// `node tests/faults/slow-machine.ts --rounds 10` starts the product and each server on a machine whose cores and disk
// are busy, and signs in. With `taskset -c 1` the same load runs on a single core.

/** Busy processes for each core, in the long round. */
const BUSY_PER_CORE = 16
/** Processes that write and call fsync, one after the other. */
const WRITERS = 4
const PASSWORD = 'slow machine, patient start'

type Start = { what: string; seconds: number; problem: string | null }

type Options = { rounds: number; busyPerCore?: number; log?: (line: string) => void }

/**
 * Starts the empty product `rounds` times and signs in, then starts each server separately with one database, while
 * other processes keep the machine busy. `log` receives a line for each start.
 */
export async function startOnSlowMachine({
  rounds,
  busyPerCore = BUSY_PER_CORE,
  log = () => undefined,
}: Options): Promise<Start[]> {
  const folder = dataFolder()
  const starts: Start[] = []
  const note = (start: Start) => {
    starts.push(start)
    log(`${start.what}: ${start.seconds} s${start.problem === null ? '' : `, ${start.problem}`}`)
  }
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'shared'), log: () => undefined })
  await migrateDatabase(postgres.url)
  const busy = keepBusy(folder, busyPerCore)
  try {
    const shared = { DATABASE_URL: postgres.url, WEBHOOK_SECRET: SHARED_SECRET }
    for (let round = 1; round <= rounds; round += 1) {
      const DATA_DIR = path.join(folder, `data-${round}`)
      mkdirSync(DATA_DIR)
      note(await timed('first start', { DATA_DIR }, 'scripts/start.ts', signIn))
      note(await timed('admin-api', shared, 'apps/admin-api/src/main.ts', signIn))
      note(await timed('ai-api', shared, 'apps/ai-api/src/main.ts'))
      note(await timed('worker', shared, 'apps/worker/src/main.ts'))
    }
  } finally {
    for (const child of busy) child.kill('SIGKILL')
    await Promise.all(busy.map((child) => once(child, 'exit')))
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  return starts
}

function keepBusy(folder: string, perCore: number): ChildProcess[] {
  // They end with this process, even if it is killed.
  const whileParentLives = 'while kill -0 "$1" 2>/dev/null; do'
  const spin = `${whileParentLives} :; done`
  const write = `${whileParentLives} dd if=/dev/zero of="$0" bs=64k count=16 conv=fsync 2>/dev/null; done`
  return [
    ...Array.from({ length: perCore * availableParallelism() }, () =>
      spawn('/bin/sh', ['-c', spin, 'sh', `${process.pid}`], { stdio: 'ignore' }),
    ),
    ...Array.from({ length: WRITERS }, (_, n) =>
      spawn('/bin/sh', ['-c', write, path.join(folder, `written-${n}`), `${process.pid}`], { stdio: 'ignore' }),
    ),
  ]
}

/** Starts the script, runs `story` at its address, and ends it. */
async function timed(
  what: string,
  settings: Record<string, string>,
  script: Script,
  story?: (address: string) => Promise<void>,
): Promise<Start> {
  const began = performance.now()
  const server = startProcess({ ...settings, SUPER_ADMIN_PASSWORD: PASSWORD }, script)
  const seconds = () => Math.round((performance.now() - began) / 100) / 10
  let ready: number | undefined
  try {
    const address = await server.ready()
    ready = seconds()
    await story?.(address)
    return { what, seconds: ready, problem: problemIn(server, null) }
  } catch (error) {
    return { what, seconds: ready ?? seconds(), problem: problemIn(server, error) }
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
  }
}

/** Why a start or its story failed, without the log: the sentence, or the first line of the stack. */
function problemIn(server: ServerProcess, error: unknown): string | null {
  const lines = server.output().split('\n')
  const stack = lines.findIndex((line) => /^ {4}at /.test(line))
  if (stack > 0) return `a stack: ${lines.slice(Math.max(0, stack - 1), stack + 2).join(' ')}`
  if (error === null) return null
  return (error instanceof Error ? error.message : 'no reason').slice(-500)
}

/** Four people sign in at once and read two screens each. */
async function signIn(address: string): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => signInOne(address)))
}

async function signInOne(address: string): Promise<void> {
  const authorization = `Bearer ${await tokenAt(address, PASSWORD)}`
  for (const url of [me.url, `${tenantList.list.url}?limit=10`]) {
    const answer = await fetch(`${address}${url}`, { headers: { authorization } })
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
  const starts = await startOnSlowMachine({ rounds: Number(values.rounds), log: console.log })
  const failed = starts.filter(({ problem }) => problem !== null)
  console.log(`${failed.length} of ${starts.length} starts failed.`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
