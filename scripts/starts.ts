import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hostOf, type Host } from '#scripts/starts/host.ts'
import { sealed, tryStart } from '#scripts/starts/try-start.ts'

// `npm run starts` clones the last commit once for each row, starts the clone on another Node or in another place,
// signs in, stops the product, and prints a table. `npm run starts -- 18.20 read-only` tries the rows with one of these
// words in their name.

type Row = {
  name: string
  node: string
  npm: string
  /** npm commands before the start. */
  before?: string[][]
  env?: Record<string, string>
  /** The command in front of the start, such as a namespace without network. */
  enter?: (clone: string) => string[]
  /** Command to start; `npm start` by default. */
  start?: string[]
  /** Mode of the folder around the clone. */
  mode?: number
  expected?: RegExp
}

const [NPM_10, NPM_11, NPM_12] = ['10.9.9', '11.21.2', '12.2.0']
const NODE_20 = '20.20.2'
const root = path.resolve(import.meta.dirname, '..')
const NODE_26 = readFileSync(path.join(root, '.node-version'), 'utf8').trim()
const BUILT_WITHOUT_DEVELOPMENT = [['ci'], ['run', 'build'], ['ci', '--omit=dev']]
const SEALED = { before: BUILT_WITHOUT_DEVELOPMENT, enter: (clone: string) => sealed(clone) }
const ROWS: Row[] = [
  { name: 'Node 16.20', node: '16.20.2', npm: '8.19.4', expected: /^Switchboard needs Node 18 or later/m },
  { name: 'Node 18.20', node: '18.20.8', npm: '10.8.2' },
  { name: 'Node 20.18', node: '20.18.3', npm: '10.8.2' },
  { name: 'Node 20.20', node: NODE_20, npm: NPM_10 },
  { name: 'Node 20.20, npm 11', node: NODE_20, npm: NPM_11 },
  { name: 'Node 22.11', node: '22.11.0', npm: '10.9.0' },
  { name: 'Node 22.23', node: '22.23.3', npm: NPM_10 },
  { name: 'Node 24.21', node: '24.21.0', npm: NPM_11 },
  { name: 'Node 26, npm 12', node: NODE_26, npm: NPM_12 },
  { name: 'npm ci --omit=optional', node: NODE_20, npm: NPM_10, before: [['ci', '--omit=optional']] },
  { name: 'NODE_ENV=production', node: NODE_20, npm: NPM_10, env: { NODE_ENV: 'production' } },
  { name: 'path that only root may enter', node: NODE_20, npm: NPM_10, mode: 0o700 },
  { name: 'sealed: npm start', node: NODE_20, npm: NPM_10, ...SEALED },
  {
    name: 'sealed: node scripts/setup.mjs',
    node: NODE_20,
    npm: NPM_10,
    start: ['scripts/setup.mjs', 'scripts/start.ts'],
    ...SEALED,
  },
]

/** Shown length of a failure, from its end. */
const RESULT_LENGTH = 300
const isRoot = process.getuid?.() === 0
const words = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-starts-'))
chmodSync(folder, 0o755)
const results: { start: string; seconds: number; result: string }[] = []
for (const row of ROWS) {
  if (words.length > 0 && !words.some((word) => row.name.includes(word))) continue
  const started = performance.now()
  console.error(`trying ${row.name} …`)
  const result = await resultOf(row)
  console.error(result)
  results.push({ start: row.name, seconds: Math.round((performance.now() - started) / 1_000), result })
}
rmSync(folder, { recursive: true, force: true })
console.table(results)
process.exit(results.every(({ result }) => result === 'ok') ? 0 : 1)

async function resultOf(row: Row): Promise<string> {
  if (row.enter !== undefined && !isRoot) return 'skipped: needs root'
  const place = path.join(folder, row.name.replaceAll(/\W+/g, '-'))
  mkdirSync(place, { mode: row.mode ?? 0o755 })
  try {
    const host = hostOf(folder, row.node, row.npm)
    const clone = path.join(place, 'clone')
    execFileSync('git', ['clone', '--quiet', root, clone])
    for (const args of row.before ?? []) host.npm(clone, args)
    return await tryStart({
      ...commandOf(row, host, clone),
      cwd: clone,
      place,
      host,
      env: row.env,
      expected: row.expected,
    })
  } catch (error) {
    return String(error).slice(-RESULT_LENGTH)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function commandOf({ enter, start }: Row, host: Host, clone: string) {
  const command = [host.node, ...(start ?? [host.npmScript, 'start'])]
  return { command: [...(enter?.(clone) ?? []), ...command], isSealed: enter !== undefined }
}
