import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const root = path.resolve(import.meta.dirname, '../..')
const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
})
const { packages } = lockfile.parse(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')))

/**
 * The folder of a package in its locked version: the installed one, or, for another platform, one unpacked below `folder`.
 * Throws when the lockfile has no such package, and when the downloaded file is not the locked one.
 */
export function lockedPackage(name: string, folder: string): string {
  const installed = path.join(root, 'node_modules', name)
  if (existsSync(installed)) return realpathSync(installed)
  const { version, integrity } = packages[`node_modules/${name}`] ?? {}
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json has no ${name}.`)
  const unpacked = path.join(folder, name.replace('/', '-'))
  if (existsSync(unpacked)) return unpacked
  mkdirSync(unpacked, { recursive: true })
  const file = path.join(unpacked, downloaded(`${name}@${version}`, unpacked))
  const digest = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (digest !== integrity)
    throw new Error(`${name}@${version} from the registry is not the file of package-lock.json.`)
  execFileSync('tar', ['--extract', `--file=${file}`, `--directory=${unpacked}`, '--strip-components=1'])
  rmSync(file)
  return unpacked
}

/** Downloads the file of a package into the folder and returns its name. */
function downloaded(spec: string, folder: string): string {
  return npm(root, 'pack', spec, `--pack-destination=${folder}`, '--prefer-offline', '--silent').trim()
}

/** Runs npm in a folder and returns its output. */
export function npm(folder: string, ...args: string[]): string {
  const { npm_execpath: script } = process.env
  const [command, ...first] = script === undefined ? ['npm'] : [process.execPath, script]
  return execFileSync(command, [...first, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
