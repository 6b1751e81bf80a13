import { consoleSettings } from '#apps/admin-api/src/serve-admin-api.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { readSettings } from '@switchboard/server/settings/env'
import { watch } from 'chokidar'

// `npm run dev`: the product with reload. The servers restart when one of their files changes. Vite serves the console at
// http://localhost:5173 (another port with DEV_PORT) and proxies calls to admin-api.

const root = path.resolve(import.meta.dirname, '..')
const settings = readSettings()
const vite = run(
  path.join(root, 'apps/console'),
  { PORT: `${settings.port}`, CONSOLE_SETTINGS: JSON.stringify(consoleSettings(settings)) },
  path.join(root, 'node_modules/vite/bin/vite.js'),
  '--port',
  process.env['DEV_PORT'] ?? '5173',
  '--strictPort',
)
let product = startProduct()
let isRestarting = false

watch(['apps/admin-api', 'apps/ai-api', 'apps/worker', 'packages', 'scripts'], {
  cwd: root,
  ignoreInitial: true,
  ignored: (file, stats) => /node_modules/.test(file) || (stats?.isFile() === true && !/\.(ts|sql|txt)$/.test(file)),
}).on('all', () => void restart())

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
process.on('disconnect', () => void end())
vite.on('exit', () => void end())

function startProduct(): ChildProcess {
  return run(root, {}, path.join(root, 'scripts/start.ts'))
}

function run(cwd: string, env: Record<string, string>, ...args: string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' })
}

/** Changes during a restart need no further restart. A product that ended with an error starts again. */
async function restart(): Promise<void> {
  if (isRestarting) return
  isRestarting = true
  await stop(product)
  product = startProduct()
  isRestarting = false
}

/** SIGINT stops the servers without a drain. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  await once(child, 'exit')
}

async function end(): Promise<void> {
  isRestarting = true
  await Promise.all([stop(product), stop(vite)])
  process.exit()
}
