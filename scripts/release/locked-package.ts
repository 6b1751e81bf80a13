import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { lockedAt } from './lockfile.ts'

const root = path.resolve(import.meta.dirname, '../..')
const LINKS = 'scripts/hydrate-symlinks.js'

/**
 * The folder of a package in its locked version: the installed one, or, for another platform, one unpacked below `folder`.
 * Throws when the lockfile has no such package, and when the downloaded file is not the locked one.
 */
export function lockedPackage(name: string, folder: string): string {
  const installed = path.join(root, 'node_modules', name)
  if (existsSync(installed)) return realpathSync(installed)
  const { version, integrity } = lockedAt(`node_modules/${name}`)
  const unpacked = path.join(folder, name.replace('/', '-'))
  if (existsSync(unpacked)) return unpacked
  mkdirSync(unpacked, { recursive: true })
  const file = path.join(unpacked, downloaded(`${name}@${version}`, unpacked))
  const digest = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (digest !== integrity)
    throw new Error(`${name}@${version} from the registry is not the file of package-lock.json.`)
  execFileSync('tar', ['--extract', `--file=${file}`, `--directory=${unpacked}`, '--strip-components=1'])
  rmSync(file)
  // What npm would run: no package has links, so the embedded PostgreSQL makes those of its libraries after the installation.
  if (existsSync(path.join(unpacked, LINKS))) execFileSync(process.execPath, [LINKS], { cwd: unpacked })
  return unpacked
}

/** Downloads the file of a package into the folder and returns its name. */
function downloaded(spec: string, folder: string): string {
  const { npm_execpath: npm } = process.env
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const args = [...first, 'pack', spec, `--pack-destination=${folder}`, '--prefer-offline', '--silent']
  return execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim()
}
