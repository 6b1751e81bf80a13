import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { environmentOf } from '#tests/server-process.ts'
import { copyOfSources, linkPackages } from './checkout.ts'

/** The folder of this release. */
export const present = path.resolve(import.meta.dirname, '../..')

/** Only adds, like every migration after a release. */
const MIGRATION = `alter table tenants add column motto text;
create table mottos (text text not null);`

/** Makes up a next release in a new folder: the sources of this tree with one more migration, and the same packages. */
export function makeNextRelease(): string {
  const folder = copyOfSources()
  linkPackages(folder)
  cpSync(path.join(present, 'apps/console/dist'), path.join(folder, 'apps/console/dist'), { recursive: true })
  writeFileSync(path.join(folder, 'packages/database/src/migrations/9999_next.sql'), MIGRATION)
  return folder
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
