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
          'docs/operate/first-day.md',
          'deploy/prometheus/alerts.yaml',
          'deploy/grafana/switchboard.json',
          'deploy/systemd/switchboard-worker.service',
          'bin/LICENSE',
        ]),
      )
    })

    test('has a client that installs without a registry', () => {
      writeFileSync(path.join(consumer, 'package.json'), '{ "type": "module" }')
      npmIn(consumer, 'install', '--offline', path.join(dist, `switchboard-client-${version}.tgz`))
      writeFileSync(path.join(consumer, 'use.mjs'), PROGRAM)
      const node = path.join(folder(), 'bin/node')
      const args = ['use.mjs', address, PASSWORD]
      expect(execFileSync(node, args, { cwd: consumer, encoding: 'utf8' })).toBe('admin@switchboard.local 503\n')
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

const PROGRAM = `
  import { createSwitchboardClient, dataOf } from '@switchboard/client'
  import { createRuntime } from '@switchboard/client/runtime'
  const [url, password] = process.argv.slice(2)
  const body = { email: 'admin@switchboard.local', password }
  const { admin } = await dataOf(createSwitchboardClient({ url, token: '' }).POST('/api/v1/admin/auth/login', { body }))
  const runtime = createRuntime({ url: 'http://127.0.0.1:1', token: '', onError: () => {} })
  const { status } = await runtime.verifyKey('none')
  console.log(admin.email, status)`

async function healthOf(address: string): Promise<unknown> {
  return await (await fetch(`${address}/healthz`)).json()
}
