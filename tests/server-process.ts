import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { login } from '@switchboard/contract/auth'

const root = path.resolve(import.meta.dirname, '..')
/** The webhook secret of servers that share a database. */
export const SHARED_SECRET = 'the-secret-of-tests-and-benches-1'

/** The script of the whole product, of a single server, or of a command. */
export type Script =
  | 'scripts/start.ts'
  | 'scripts/demo.ts'
  | 'scripts/admin.ts'
  | 'scripts/audit-verify.ts'
  | 'scripts/backup.ts'
  | 'scripts/restore.ts'
  | 'scripts/db-migrate.ts'
  | 'scripts/db-recount.ts'
  | 'scripts/doctor.ts'
  | 'scripts/secrets-rotate.ts'
  | 'apps/admin-api/src/main.ts'
  | 'apps/ai-api/src/main.ts'
  | 'apps/worker/src/main.ts'

export type ServerProcess = {
  child: ChildProcess
  /** The address of the server, or of admin-api. Rejects with the output when the process ends before it is ready. */
  ready: () => Promise<string>
  /** Standard output and standard error so far. */
  output: () => string
  /** Exit code and standard error, after the end of the process. */
  ended: Promise<{ code: number | null; stderr: string }>
}

/** Starts the script with these arguments and settings in addition to the defaults of tests, on free ports. */
export function startProcess(
  settings: Record<string, string>,
  script: Script = 'scripts/start.ts',
  ...args: string[]
): ServerProcess {
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, stderr }))
  const address = new Promise<string | null>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      const [, printed] = / is ready: ([^\s"]+)[\s"]/.exec(stdout) ?? []
      if (printed !== undefined) resolve(printed)
    })
    void ended.then(() => resolve(null))
  })
  const ready = async () => {
    const printed = await address
    if (printed === null) throw new Error(`The process ended before it was ready: ${stdout}${stderr}`)
    return printed
  }
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return { child, ready, output: () => stdout + stderr, ended }
}

/** The environment of a server in tests: these settings, the defaults of tests, and the variables of this process. */
export function environmentOf(settings: Record<string, string>): NodeJS.ProcessEnv {
  const defaults = {
    DATABASE_URL: '',
    DRAIN_SECONDS: '0',
    GOOGLE_MAPS_API_KEY: '',
    HOST: '',
    LOG_LEVEL: 'warn',
    PORT: '0',
    AI_PORT: '0',
    OPS_PORT: '0',
    AI_OPS_PORT: '0',
    WORKER_OPS_PORT: '0',
  }
  return { ...process.env, ...defaults, ...settings }
}

type SharedServer = { databaseUrl: string; settings?: Record<string, string> }

/** Starts ai-api over a shared database. */
export function startAiApi({ databaseUrl, settings = {} }: SharedServer): ServerProcess {
  const shared = { DATABASE_URL: databaseUrl, WEBHOOK_SECRET: SHARED_SECRET }
  return startProcess({ ...shared, ...settings }, 'apps/ai-api/src/main.ts')
}

/** Starts a worker over a shared database. Without `mapsUrl`, look-ups of places fail. */
export function startWorker({
  databaseUrl,
  mapsUrl,
  settings = {},
}: SharedServer & { mapsUrl?: string }): ServerProcess {
  const maps = mapsUrl === undefined ? {} : { GOOGLE_MAPS_API_KEY: 'any', GOOGLE_PLACES_URL: mapsUrl }
  return startProcess({ DATABASE_URL: databaseUrl, ...maps, ...settings }, 'apps/worker/src/main.ts')
}

/** The token of a new session of the first super admin, at a server started with this `SUPER_ADMIN_PASSWORD`. */
export async function tokenAt(address: string, password: string): Promise<string> {
  const answer = await fetch(`${address}${login.url}`, {
    method: login.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@switchboard.local', password }),
  })
  return login.schema.response[200].parse(await answer.json()).access_token
}

/** Where Linux keeps files in memory. Containers often have 64 MB there, too little for tests. */
const MEMORY = '/dev/shm'
const MEMORY_MIN = 4 * 1024 ** 3

/**
 * A new folder for the data of servers, in memory where there is room: to create the 300 files of a database takes ten
 * times as long on a disk.
 */
export function dataFolder(): string {
  return newFolder(hasMemory() ? MEMORY : tmpdir())
}

/** A new folder on the disk, for programs. The account of PostgreSQL may enter it when the tests run as root. */
export function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, 'switchboard-test-'))
  chmodSync(folder, 0o755)
  return folder
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) > MEMORY_MIN
}

/** Command lines with `folder` of all processes (empty except on Linux). */
export function processesOf(folder: string): string[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== `${process.pid}`)
  return pids.map(commandLine).filter((line) => line.includes(folder))
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
