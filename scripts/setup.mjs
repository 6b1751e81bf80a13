// `node scripts/setup.mjs scripts/start.ts …` installs packages and builds the console where needed, then runs the
// script on Node 26. Without a script, builds the release. Plain JavaScript for Node 18 with no packages installed.
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildConsole, isConsoleBuilt } from './setup/console-build.mjs'
import { fail } from './setup/fail.mjs'
import { withLock } from './setup/lock.mjs'
import { install, missingPackages } from './setup/packages.mjs'
import { buildRelease } from './setup/release.mjs'
import { runHere, runThere } from './setup/run.mjs'
import { findNode, isSameNode } from './setup/node.mjs'
import { root } from './setup/places.mjs'

/** Scripts that serve the built console. */
const SERVE_CONSOLE = [
  'scripts/start.ts',
  'scripts/demo.ts',
  'scripts/screenshots.ts',
  'scripts/test.ts',
  'scripts/e2e.ts',
  'scripts/bench.ts',
  'scripts/lighthouse.ts',
  'apps/admin-api/src/main.ts',
]
/** Scripts that need the packages of development. */
const DEVELOPMENT = ['dev', 'test', 'e2e', 'check', 'format', 'bench', 'lighthouse', 'screenshots', 'starts', 'image']

const [script, ...args] = process.argv.slice(2)

if (Number.parseInt(process.versions.node) < 18) {
  fail(`Switchboard needs Node 18 or later to install itself. This is Node ${process.versions.node}.`)
}
const [packageManager] = (process.env.npm_config_user_agent || 'npm').split('/')
if (packageManager !== 'npm') fail(`Switchboard is installed with npm, not with ${packageManager}. Run it with npm.`)

const wasReady = isReady()
if (!wasReady) await withLock(prepare)
if (script === undefined) await withLock(buildRelease)
else {
  const node = findNode() ?? fail('There is no packaged Node for this system. Install Node 26 and try again.')
  // npm 11 puts node_modules/.bin first on PATH, so every start but the first usually is on the right Node already.
  if (wasReady && isSameNode(node, process.execPath)) await runHere(script, settingsFile())
  else runThere(node, script, args, settingsFile())
}

/** The file with the settings of this folder. Tests and measurements set what they need, so they do not read it. */
function settingsFile() {
  const file = join(root, '.env')
  const isDevelopment = DEVELOPMENT.includes(basename(script, '.ts')) && script !== 'scripts/dev.ts'
  return !isDevelopment && existsSync(file) ? file : undefined
}

/**
 * Whether the script can run. Earlier preparation stays unchanged, and so does an installation without the packages of
 * development.
 */
function isReady() {
  if (needsConsole() && !isConsoleBuilt()) return false
  const isDevelopment = script !== undefined && DEVELOPMENT.includes(basename(script, '.ts'))
  return missingPackages({ withDevelopment: isDevelopment }).length === 0
}

async function prepare() {
  // Another start may have prepared everything during the wait for the lock.
  if (isReady()) return
  if (missingPackages({ withDevelopment: true }).length > 0) await install()
  if (needsConsole() && !isConsoleBuilt()) await buildConsole(findNode())
}

function needsConsole() {
  // A word after `npm test --` chooses the tests with this word in their path.
  if (script === 'scripts/test.ts' && args.length > 0)
    return testsWithConsole().some((file) => args.some((word) => file.includes(word)))
  return script === undefined || SERVE_CONSOLE.includes(script)
}

/** The unit and API tests that read the built console. */
function testsWithConsole() {
  const faults = readdirSync(join(root, 'tests/faults')).filter((name) => name.endsWith('.test.ts'))
  return [...faults.map((name) => `tests/faults/${name}`), 'tests/laws/style.test.ts', 'tests/laws/secrets.test.ts']
}
