import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dataFolder, environmentOf } from '#tests/server-process.ts'

/** The folder of this release. */
export const present = path.resolve(import.meta.dirname, '../..')

/** Only adds, like every migration after a release. */
const MIGRATION = `alter table tenants add column motto text;
create table mottos (text text not null);`

/** Makes up a next release in a new folder: the sources of this tree with one more migration, and the same packages. */
export function makeNextRelease(): string {
  const folder = dataFolder()
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: present,
    encoding: 'utf8',
  })
  for (const file of listed.split('\n').filter((name) => name !== '' && existsSync(path.join(present, name))))
    cpSync(path.join(present, file), path.join(folder, file))
  cpSync(path.join(present, 'apps/console/dist'), path.join(folder, 'apps/console/dist'), { recursive: true })
  writeFileSync(path.join(folder, 'packages/database/src/migrations/9999_next.sql'), MIGRATION)
  linkPackages('.', folder)
  mkdirSync(path.join(folder, 'node_modules/@switchboard'))
  for (const parent of ['apps', 'packages']) {
    for (const name of readdirSync(path.join(folder, parent))) {
      symlinkSync(path.join(folder, parent, name), path.join(folder, 'node_modules/@switchboard', name))
      linkPackages(path.join(parent, name), folder)
    }
  }
  return folder
}

/** Links the packages in `node_modules` of a folder of this tree, but not the workspaces. */
function linkPackages(below: string, folder: string): void {
  const [from, to] = [path.join(present, below, 'node_modules'), path.join(folder, below, 'node_modules')]
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const name of readdirSync(from))
    if (name !== '@switchboard') symlinkSync(path.join(from, name), path.join(to, name))
}

/** Runs code as a module at the root of a release. Returns its output. Throws when it fails. */
export async function runIn(folder: string, code: string, settings: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`The code failed in ${folder}: ${stderr}`)
  return stdout
}
