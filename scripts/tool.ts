import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** Runs the command of an installed package in the root folder, on the Node of this process. Returns its exit code. */
export function runTool(command: string, ...args: string[]): number {
  const folders = [path.dirname(process.execPath), path.join(root, 'node_modules/.bin'), process.env['PATH']]
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: folders.join(path.delimiter) },
  })
  return status ?? 1
}
