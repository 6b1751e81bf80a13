import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fail } from './fail.mjs'
import { runWithSeconds } from './progress.mjs'
import { modules, root } from './places.mjs'

const folder = join(root, 'apps/console')
const built = join(folder, 'dist')
/** Holds the digest of the sources beside the built files. */
const RECORD = '.sources'

/** Whether the console was built from the current sources. */
export function isConsoleBuilt() {
  const record = join(built, RECORD)
  return existsSync(record) && readFileSync(record, 'utf8') === digestOfSources()
}

/** Builds the console beside the last build, and replaces it when all files are written. */
export async function buildConsole(node) {
  const [draft, last] = [join(folder, 'dist.draft'), join(folder, 'dist.last')]
  const sources = digestOfSources()
  const args = [join(modules, 'vite/bin/vite.js'), 'build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn']
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }
  if ((await runWithSeconds('Building the console', node, args, options)) !== 0)
    fail('Building the console failed: the reason is above.')
  const reference = [join(root, 'scripts/reference.ts'), join(draft, 'docs')]
  if ((await runWithSeconds('Writing the API reference', node, reference, options)) !== 0)
    fail('Writing the API reference failed: the reason is above.')
  writeFileSync(join(draft, RECORD), sources)
  rmSync(last, { recursive: true, force: true })
  if (existsSync(built)) renameSync(built, last)
  renameSync(draft, built)
  rmSync(last, { recursive: true, force: true })
}

function digestOfSources() {
  const hash = createHash('sha256')
  const sources = [
    folder,
    join(root, 'packages/contract'),
    join(root, 'packages/server/src/http/openapi.ts'),
    join(root, 'scripts/openapi'),
    join(root, 'scripts/reference.ts'),
    join(root, 'package-lock.json'),
  ]
  for (const file of sources.flatMap(filesOf)) hash.update(`${relative(root, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** The path of a file, or all source files below a folder, in the same order on every machine. */
function filesOf(path) {
  if (statSync(path).isFile()) return [path]
  const names = readdirSync(path).filter((name) => !/^(dist(\..*)?|node_modules)$/.test(name))
  names.sort()
  return names.flatMap((name) => filesOf(join(path, name)))
}
