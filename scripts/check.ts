import { spawnSync } from 'node:child_process'
import path from 'node:path'

// Format, lint, types and dead code, one after the other; ends at the first that finds something.

const root = path.resolve(import.meta.dirname, '..')
const CHECKS = [
  ['format', 'oxfmt', '--check'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of the console', 'tsc', '-p', 'apps/console'],
  ['dead code', 'knip'],
] as const

for (const [name, command, ...args] of CHECKS) {
  const started = performance.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1_000).toFixed(1)} s)`)
  if (status !== 0) process.exit(1)
}
