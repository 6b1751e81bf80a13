import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { dataFolder, processesOf } from '#tests/server-process.ts'
import { copyOfSources } from './checkout.ts'

const root = path.resolve(import.meta.dirname, '../..')
const checkout = copyOfSources()
const DATA_DIR = dataFolder()
const dist = path.join(checkout, 'apps/console/dist')
/** Any free ports, and a failing npm, so nothing can be installed. */
const SETTINGS = {
  DATA_DIR,
  DATABASE_URL: '',
  PORT: '0',
  AI_PORT: '0',
  OPS_PORT: '0',
  AI_OPS_PORT: '0',
  WORKER_OPS_PORT: '0',
  npm_execpath: '/no/such/npm',
}
// The console is built here.
afterAll(() => {
  for (const folder of [checkout, DATA_DIR]) rmSync(folder, { recursive: true, force: true })
})

test.each(['pnpm', 'yarn', 'bun'])('names npm to %s', async (name) => {
  const { printed, code } = await setUp([], { npm_config_user_agent: `${name}/1.2.3 npm/? node/v20.20.2` })
  expect([printed, code]).toEqual([`Switchboard is installed with npm, not with ${name}. Run it with npm.\n`, 1])
})

test('two first starts build the console once, also after a killed start', async () => {
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'))
  const killed = spawn(process.execPath, ['--version'])
  await once(killed, 'exit')
  writeFileSync(path.join(checkout, '.setup-lock'), `${killed.pid}`)
  const ends = await Promise.all([setUp([]), setUp([])])
  expect(ends.map(({ code }) => code)).toEqual([0, 0])
  expect(ends.filter(({ printed }) => printed.includes('Building'))).toHaveLength(1)
  expect(readdirSync(path.dirname(dist)).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
  expect(existsSync(path.join(checkout, '.setup-lock'))).toBe(false)
})

test('a built console starts without the packages of development', async () => {
  pruneDevelopment()
  const product = startIn(checkout, ['scripts/start.ts'])
  await expect.poll(product.printed, { timeout: 60_000 }).toContain('is ready')
  expect(product.printed()).not.toMatch(/Installing|Building/)
  product.child.kill('SIGTERM')
  expect(await product.code).toBe(0)
})

test('SIGTERM to npm ends the product', async () => {
  const npm = process.env['npm_execpath']
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const env = { ...process.env, ...SETTINGS, npm_execpath: npm }
  const child = spawn(command, [...first, 'start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  onTestFinished(() => void child.kill('SIGTERM'))
  await expect.poll(() => printed, { timeout: 60_000 }).toContain('is ready')
  expect(processesOf(DATA_DIR)).not.toEqual([])
  child.kill('SIGTERM')
  await expect.poll(() => processesOf(DATA_DIR), { timeout: 15_000 }).toEqual([])
})

async function setUp(args: string[], env: Record<string, string> = {}) {
  const { printed, code } = startIn(checkout, args, env)
  return { code: await code, printed: printed() }
}

function startIn(cwd: string, args: string[], settings: Record<string, string> = {}) {
  const env = { ...process.env, npm_config_user_agent: '', ...SETTINGS, ...settings }
  const child: ChildProcess = spawn(process.execPath, ['scripts/setup.mjs', ...args], { cwd, env })
  onTestFinished(() => void child.kill('SIGTERM'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk))
  return { child, printed: () => printed, code: once(child, 'close').then(([code]: unknown[]) => code) }
}

/** Leaves only links to the packages that `npm ci --omit=dev` installs, and npm's record of them. */
function pruneDevelopment(): void {
  const modules = path.join(checkout, 'node_modules')
  const record = z.looseObject({ packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional() })) })
  const installed = record.parse(JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8')))
  const kept = Object.entries(installed.packages).filter(([, { dev }]) => dev !== true)
  rmSync(modules)
  // Also the packages of a workspace of its own, such as packages/mail/node_modules/nodemailer.
  for (const [place] of kept.filter(([name]) =>
    /^((apps|packages)\/[\w-]+\/)?node_modules\/(@[^/]+\/)?[^/]+$/.test(name),
  )) {
    const link = path.join(checkout, place)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(place.includes('@switchboard') ? workspaceOf(place) : path.join(root, place), link)
  }
  const packages = Object.fromEntries(kept)
  writeFileSync(path.join(modules, '.package-lock.json'), JSON.stringify({ ...installed, packages }))
}

function workspaceOf(place: string): string {
  const name = path.basename(place)
  const folders = ['packages', 'apps'].map((folder) => path.join(checkout, folder, name))
  return folders.find((folder) => existsSync(folder)) ?? ''
}
