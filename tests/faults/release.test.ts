import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { dataFolder, environmentOf, SHARED_SECRET } from '#tests/server-process.ts'
import { commitAll, copyOfSources, linkPackages, npmIn } from './checkout.ts'

// What `npm run release` writes, as a company uses it: sums, servers from the archive with Node, and the typed client.

const root = path.resolve(import.meta.dirname, '../..')
const platform = `linux-${process.arch}`
const PASSWORD = 'unpacked beside a quiet harbor'
const [checkout, opt, consumer] = [copyOfSources(), dataFolder(), dataFolder()]
const dist = path.join(checkout, 'dist')
/** Packing Node takes half a minute on a busy machine. */
const LONG = 600_000
let version = ''

afterAll(() => [checkout, opt, consumer].forEach((folder) => rmSync(folder, { recursive: true, force: true })))

describe.skipIf(process.platform !== 'linux')('a release', () => {
  beforeAll(() => {
    linkPackages(checkout)
    cpSync(path.join(root, 'apps/console/dist'), path.join(checkout, 'apps/console/dist'), { recursive: true })
    const git = commitAll(checkout)
    const manifest = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'))
    version = `${manifest.version}+${git('rev-parse', 'HEAD').slice(0, 7)}`
    for (const script of [['scripts/setup.mjs'], ['scripts/release.ts', platform]])
      execFileSync(process.execPath, script, { cwd: checkout })
  }, LONG)

  test('has files with the version of its commit, and their sums', () => {
    expect(readdirSync(dist).toSorted()).toEqual([
      'SHA256SUMS',
      'release',
      `switchboard-${version}-${platform}.tar.gz`,
      `switchboard-${version}.cdx.json`,
      `switchboard-${version}.tar.gz`,
      `switchboard-chart-${version}.tgz`,
      `switchboard-client-${version}.tgz`,
    ])
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist })
  })

  test('is refused for changes that are not committed', () => {
    writeFileSync(path.join(checkout, 'NOTES'), '')
    const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts'], { cwd: checkout, encoding: 'utf8' })
    rmSync(path.join(checkout, 'NOTES'))
    expect([status, stderr]).toEqual([1, 'A release is made from a commit: commit the changes of this folder first.\n'])
  })

  test('has the chart with its version', () => {
    const args = ['--extract', '--to-stdout', `--file=${path.join(dist, `switchboard-chart-${version}.tgz`)}`]
    const chart = execFileSync('tar', [...args, 'switchboard/Chart.yaml'], { encoding: 'utf8' })
    expect(chart).toContain(`\nversion: ${version}\nappVersion: ${version}\n`)
  })

  test('lists its packages', () => {
    const sbom = JSON.parse(readFileSync(path.join(dist, `switchboard-${version}.cdx.json`), 'utf8'))
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'switchboard', version } } })
    const names = sbom.components.map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['fastify', 'kysely', '@mantine/core', 'scheduler', 'openapi-fetch', `node-${platform}`]),
    )
    expect(names.filter((name: string) => /^(vite|vitest|@types\/.*|@switchboard\/.*)$/.test(name))).toEqual([])
  })

  describe('unpacked', () => {
    const folder = () => path.join(opt, `switchboard-${version}`)
    let address = ''

    beforeAll(async () => {
      const file = path.join(dist, `switchboard-${version}-${platform}.tar.gz`)
      execFileSync('tar', ['--extract', '--no-same-owner', `--directory=${opt}`, `--file=${file}`])
      const { url, drop } = await createTestDatabase(inject('postgresUrl'))
      const settings = { DATABASE_URL: url, WEBHOOK_SECRET: SHARED_SECRET, SUPER_ADMIN_PASSWORD: PASSWORD }
      const servers = ['admin-api', 'ai-api', 'worker'].map((name) => startServer(`apps/${name}/src/main.ts`, settings))
      const addresses = await Promise.all(servers.map((server) => server.ready))
      address = addresses[0] ?? ''
      for (const each of addresses) expect(await healthOf(each)).toEqual({ status: 'ok', version })
      return async () => {
        await Promise.all(servers.map((server) => server.stop()))
        await drop()
      }
    })

    test('starts all servers with its embedded PostgreSQL in one process', async () => {
      const server = startServer('scripts/start.ts', { DATA_DIR: path.join(opt, 'data') })
      expect(await healthOf(await server.ready)).toEqual({ status: 'ok', version })
      await server.stop()
    })

    test('names its commands as its Node runs them', () => {
      const node = path.join(folder(), 'bin/node')
      const { stderr } = spawnSync(node, ['scripts/db-migrate.ts', 'down'], { cwd: folder(), encoding: 'utf8' })
      expect(stderr).toMatch(/^Run "bin\/node scripts\/db-migrate\.ts"/)
    })

    test('serves the console', async () => {
      expect((await fetch(address)).status).toBe(200)
    })

    test('has the guides, the units, the alerts, the dashboard and the license of Node', () => {
      const files = readdirSync(folder(), { recursive: true, encoding: 'utf8' })
      expect(files).toEqual(
        expect.arrayContaining([
          'LICENSE',
          'CHANGELOG.md',
          'docs/operate/install.md',
          'deploy/prometheus/alerts.yaml',
          'deploy/grafana/switchboard.json',
          'deploy/systemd/switchboard-worker.service',
          'bin/LICENSE',
        ]),
      )
    })

    describe('the client from its file in an empty folder', () => {
      /** Nodes and a compiler of users, by the npm of this machine. */
      const others = dataFolder()
      let hasOthers = false
      afterAll(() => rmSync(others, { recursive: true, force: true }))

      beforeAll(() => {
        writeFileSync(path.join(consumer, 'package.json'), '{ "type": "module" }')
        npmIn(consumer, 'install', '--offline', path.join(dist, `switchboard-client-${version}.tgz`))
        writeFileSync(path.join(consumer, 'use.mjs'), PROGRAM)
        writeFileSync(path.join(consumer, 'types.ts'), TYPES)
        hasOthers = installOthers(others)
      })

      test('works on the Node of the release', () => {
        const node = path.join(folder(), 'bin/node')
        expect(run(node)).toBe(`${process.version} admin@switchboard.local SwitchboardError Not authenticated\n`)
      })

      test.for(Object.entries(NODES))('works on Node %s', ([name, exact], { skip }) => {
        skip(!hasOthers, 'the registry does not answer')
        expect(run(path.join(others, `node_modules/node-${name}/bin/node`))).toMatch(
          new RegExp(`^v${exact} admin@switchboard\\.local SwitchboardError`),
        )
      })

      test.for([
        ['5.5', 'nodenext'],
        ['5.5', 'bundler'],
        ['of this repository', 'nodenext'],
      ])('has types for TypeScript %s with the resolution %s', ([release, resolution], { skip }) => {
        skip(release === '5.5' && !hasOthers, 'the registry does not answer')
        const compiler = path.join(release === '5.5' ? others : root, 'node_modules/typescript/bin/tsc')
        const module = resolution === 'bundler' ? 'esnext' : 'nodenext'
        const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom']
        const args = [compiler, ...options, '--module', module, '--moduleResolution', `${resolution}`, 'types.ts']
        const { stdout } = spawnSync(process.execPath, args, { cwd: consumer, encoding: 'utf8' })
        expect(stdout).toBe('')
      })

      function run(node: string): string {
        return execFileSync(node, ['use.mjs', address, PASSWORD], { cwd: consumer, encoding: 'utf8' })
      }
    })

    /** Starts a script of the release. `ready` is the address that it prints. */
    function startServer(script: string, settings: Record<string, string>) {
      const env = environmentOf({ ...settings, NODE_COMPILE_CACHE: '' })
      const child = spawn(path.join(folder(), 'bin/node'), [script], { cwd: folder(), env, stdio: 'pipe' })
      const ended = once(child, 'close')
      let printed = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
      const ready = vi.waitUntil(() => / is ready: ([^\s"]+)/.exec(printed)?.[1], { timeout: 120_000 })
      const stop = async () => {
        child.kill('SIGTERM')
        await ended
      }
      return { ready, stop }
    }
  })
})

const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' }

const PROGRAM = `
  import { createSwitchboardClient, dataOf } from '@switchboard/client'
  const [url, password] = process.argv.slice(2)
  const clientWith = (token) => createSwitchboardClient({ url, token })
  const body = { email: 'admin@switchboard.local', password }
  const { access_token } = await dataOf(clientWith('').POST('/api/v1/admin/auth/login', { body }))
  const { email } = await dataOf(clientWith(access_token).GET('/api/v1/admin/auth/me'))
  const refusal = await dataOf(clientWith('none').GET('/api/v1/admin/auth/me')).catch((error) => error)
  console.log(process.version, email, refusal.name, refusal.message)`

const TYPES = `
  import { createSwitchboardClient, dataOf, type Schemas } from '@switchboard/client'
  const client = createSwitchboardClient({ url: 'http://127.0.0.1:3000', token: '' })
  const tenants: Schemas['Tenant'][] = await dataOf(client.GET('/api/v1/admin/tenants', { params: { query: { limit: 25 } } }))
  export const names: string[] = tenants.map(({ name }) => name)
  // @ts-expect-error -- a tenant needs a name
  await client.POST('/api/v1/admin/tenants', { body: { subdomain: 'pier', tenant_type: 'product' } })`

/** Installs older Nodes and TypeScript 5.5. False when the registry does not answer. */
function installOthers(folder: string): boolean {
  const nodes = Object.entries(NODES).map(([name, exact]) => `node-${name}@npm:node-${platform}@${exact}`)
  const args = [
    'install',
    '--prefer-offline',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
    '--engine-strict=false',
    '--ignore-scripts',
  ]
  try {
    npmIn(folder, ...args, ...nodes, 'typescript@5.5.4')
    return true
  } catch (error) {
    console.log(`Older Nodes and TypeScript 5.5 are not tested: ${String(error)}`)
    return false
  }
}

async function healthOf(address: string): Promise<unknown> {
  return await (await fetch(`${address}/healthz`)).json()
}
