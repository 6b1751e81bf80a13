import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { allMigrations } from '@switchboard/database/migrate'
import { dataFolder, environmentOf } from '#tests/server-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const MIGRATIONS = 'packages/database/src/migrations'

/**
 * The commit of the oldest release that must work on the schema of this one: it added the migration that `schema_floor` names.
 * Null without the history of git, and while that migration is the newest one.
 */
export async function commitOfFloor(floor: string): Promise<string | null> {
  const file = `${MIGRATIONS}/${floor}.sql`
  const args = ['log', '--first-parent', '-m', '--diff-filter=A', '--format=%H', '--max-count=1', '--', file]
  const history = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (history.status !== 0) return null
  const commit = history.stdout.trim()
  const newest = `${commit}:${MIGRATIONS}/${(await allMigrations()).at(-1)}.sql`
  const hasNewest = spawnSync('git', ['cat-file', '-e', newest], { cwd: root }).status === 0
  return commit === '' || hasNewest ? null : commit
}

/**
 * A new folder with the sources of a commit. It shares the installed packages with this tree: where the lock files differ, the
 * older sources run with the newer packages.
 */
export function releaseAt(commit: string): string {
  const folder = dataFolder()
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 })
  execFileSync('tar', ['--extract'], { cwd: folder, input: archive })
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
  const [from, to] = [path.join(root, below, 'node_modules'), path.join(folder, below, 'node_modules')]
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
