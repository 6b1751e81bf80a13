import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'

// The product with reload: both servers restart when one of their files changes, and the console comes from Vite at
// http://localhost:5173, which hands /api on to admin-api at its usual port.

const root = path.resolve(import.meta.dirname, '..')
const children = [
  run(root, '--watch', '--watch-preserve-output', path.join(root, 'scripts/start.ts')),
  run(
    path.join(root, 'apps/console'),
    path.join(root, 'node_modules/vite/bin/vite.js'),
    '--port',
    '5173',
    '--strictPort',
  ),
]

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => endAll(signal))
// One without the other is no use.
for (const child of children) child.on('exit', () => endAll('SIGTERM'))

function run(cwd: string, ...args: string[]): ChildProcess {
  // A restart after a save must not wait for a drain.
  return spawn(process.execPath, args, { cwd, stdio: 'inherit', env: { DRAIN_SECONDS: '0', ...process.env } })
}

function endAll(signal: NodeJS.Signals): void {
  for (const child of children) child.kill(signal)
}
