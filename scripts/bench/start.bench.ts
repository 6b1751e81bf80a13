import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { amount, type Figure, percentile } from './measure.ts'

const root = path.resolve(import.meta.dirname, '../..')
const STARTS = 5
/** V8 gives the memory of a start back after about a minute without work. */
const REST_MS = 90_000

/** `npm start` with an existing data folder: time until ready, and Node's memory at rest (Linux only). */
export async function benchStart(): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchboard-bench-'))
  await chmod(dataDir, 0o755)
  try {
    await startOnce(dataDir)
    const seconds: number[] = []
    let megabytes = Number.NaN
    for (let n = 0; n < STARTS; n += 1) {
      const start = await startOnce(dataDir, n === STARTS - 1 ? REST_MS : 0)
      seconds.push(start.seconds)
      megabytes = start.megabytes
    }
    const sorted = seconds.toSorted((one, other) => one - other)
    return [
      amount('npm start again, to ready (median of 5)', percentile(sorted, 0.5), 's', 2),
      amount("Node's memory at rest, 90 s after the start (RSS)", megabytes, 'MB', 220),
    ]
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function startOnce(dataDir: string, restMs = 0): Promise<{ seconds: number; megabytes: number }> {
  const started = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      AI_PORT: '0',
      OPS_PORT: '0',
      AI_OPS_PORT: '0',
      WORKER_OPS_PORT: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes(' is ready: ') && resolve())
    child.once('exit', () => reject(new Error('npm start ended before it was ready')))
  })
  const seconds = (performance.now() - started) / 1_000
  await sleep(restMs)
  const pid = (await readFile(path.join(dataDir, 'server.pid'), 'utf8')).trim()
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
  child.kill('SIGTERM')
  // npm may end before the server.
  while (existsSync(path.join(dataDir, 'server.pid'))) await sleep(20)
  return { seconds, megabytes }
}
