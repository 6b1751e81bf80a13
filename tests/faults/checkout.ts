import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { dataFolder } from '#tests/server-process.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A new folder with a copy of all sources, including uncommitted changes, without packages. */
export function copyOfSources(): string {
  const folder = dataFolder()
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.trim().split('\n')) {
    if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(folder, file))
  }
  return folder
}
