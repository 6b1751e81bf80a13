import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fail } from './fail.mjs'
import { findNode, libc } from './node.mjs'
import { runWithSeconds } from './progress.mjs'
import { modules, root } from './places.mjs'

/** Paths of the locked packages that fit this platform and are not installed in their locked version. */
export function missingPackages({ withDevelopment }) {
  const record = join(modules, '.package-lock.json')
  const installed = existsSync(record) ? readPackages(record) : {}
  const platform = { os: process.platform, cpu: process.arch, libc: libc() }
  return Object.entries(readPackages(join(root, 'package-lock.json')))
    .filter(([place, locked]) => place.startsWith('node_modules/') && isNeeded(locked, platform))
    .filter(([, { dev }]) => withDevelopment || dev !== true)
    .filter(([place, { version }]) => !(place in installed) || installed[place].version !== version)
    .map(([place]) => place)
}

/** npm leaves out optional packages for other platforms, and packages without a platform where others replace them. */
function isNeeded(locked, platform) {
  if (locked.optional !== true && locked.devOptional !== true) return true
  const named = Object.keys(platform).filter((name) => name in locked)
  return named.length > 0 && named.every((name) => locked[name].includes(platform[name]))
}

/**
 * Installs the locked versions of all packages, also where NODE_ENV or npm's settings leave some out. Unlike `npm ci`
 * the install keeps correct packages, such as the Node of this process: Windows could not remove a running program.
 */
export async function install() {
  // npm leaves out bindings for a newer Node than its own, and npm 10 may end early. The first run installs the
  // packaged Node, and the second run uses this Node for npm.
  const isDone = (await runNpm()) && missingPackages({ withDevelopment: true }).length === 0
  if (!isDone && (findNode() === undefined || !(await runNpm()))) fail('Installing failed: npm says why above.')
  const [missing] = missingPackages({ withDevelopment: true })
  if (missing !== undefined) {
    fail(`npm did not install ${missing.slice('node_modules/'.length)}. Run "npm ci" to see why.`)
  }
}

async function runNpm() {
  const node = findNode() ?? process.execPath
  // npm names itself to its scripts. Without the name, this script was started by hand.
  const [command, ...first] = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm']
  // The lockfile has the digest of each package, so a cached package needs no question to the registry.
  const all = ['--include=dev', '--include=optional', '--engine-strict=false', '--prefer-offline']
  const args = [...first, 'install', '--no-save', ...all, '--loglevel=error', '--no-progress']
  const work = existsSync(modules) ? 'Installing packages' : 'Installing packages (400 MB)'
  const status = await runWithSeconds(work, command, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    // Windows starts npm only through a shell.
    shell: process.platform === 'win32' && first.length === 0,
  })
  return status === 0
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}
