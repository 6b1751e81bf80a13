import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { installedPostgres } from '#tests/installed-postgres.ts'
import { blockOf } from '#tests/proxies.ts'
import { environmentOf, newFolder, SHARED_SECRET } from '#tests/server-process.ts'
import { commitAll, copyOfSources, linkPackages, npmIn } from './checkout.ts'
import { bootMachine, canBoot, type Machine } from './machine.ts'

// What `npm run release` writes, as a company uses it: sums, servers from the archive with Node, installations by the guides
// for operators, and the typed client.

const root = path.resolve(import.meta.dirname, '../..')
const platform = `linux-${process.arch}`
const PASSWORD = 'unpacked beside a quiet harbor'
const [checkout, opt, consumer] = [copyOfSources(), newFolder(), newFolder()]
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
      archiveOf(version),
      `switchboard-${version}.cdx.json`,
      `switchboard-${version}.tar.gz`,
      `switchboard-admin-api-${version}.json`,
      `switchboard-ai-api-${version}.json`,
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
      const file = path.join(dist, archiveOf(version))
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
      expect(stderr).toMatch(/^bin\/node scripts\/db-migrate\.ts /m)
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

    describe.skipIf(!canBoot())('under systemd, by the commands of the guides', () => {
      const NEXT = '99.0.0'
      const machines = newFolder()
      let machine: Machine

      beforeAll(async () => {
        // The accounts of the services read it.
        chmodSync(machines, 0o755)
        for (const name of ['SHA256SUMS', archiveOf(version)]) cpSync(path.join(dist, name), path.join(machines, name))
        machine = await bootMachine(machines)
        machine.run('systemctl enable --quiet --now caddy')
        return async () => {
          await machine.stop()
          rmSync(machines, { recursive: true })
        }
      }, LONG)

      test('one machine gets TLS and backups that can be restored, and survives a power failure', async () => {
        const printed = follow('first-day.md', 'One machine')
        expect(printed).toContain(`${archiveOf(version)}: OK`)
        expect(printed).toContain(`switchboard-${version} runs.`)
        expect(printed).toMatch(/^ok +ai-api /m)
        expect(signIn()).toBe(200)
        expect(machine.run('switchboard backup')).toContain('/var/lib/switchboard/backups/switchboard-')
        expect(follow('every-month.md', 'Verify a backup')).toContain('can be restored')
        await machine.restart()
        await vi.waitUntil(() => call('/readyz').status === 200, { timeout: 60_000, interval: 1_000 })
        expect(signIn()).toBe(200)
      })

      test('an upgrade runs the next release, and the way back this one', () => {
        packNext()
        follow('every-release.md', 'Upgrade')
        expect(call('/healthz').body).toMatchObject({ version: NEXT })
        follow('every-release.md', 'The way back')
        expect(call('/healthz').body).toMatchObject({ version })
        expect(signIn()).toBe(200)
      })

      test('a backup is restored in place', () => {
        const [file = ''] = machine.run('ls /var/lib/switchboard/backups').split('\n')
        const { body } = call('/readyz')
        follow('restore.md', 'In place, on one machine', { 'nightly-2026-11-26.backup': file })
        machine.run(`/opt/switchboard-${version}/deploy/systemd/install.sh`)
        expect(call('/readyz').body).not.toEqual(body)
        expect(signIn()).toBe(200)
      })

      test.skipIf(!existsSync('/usr/bin/pg_createcluster'))(
        'three servers over PostgreSQL replace the one process',
        () => {
          const major = path.basename(path.dirname(installedPostgres()[0] ?? ''))
          machine.run(`pg_createcluster ${major} guides --port 5499 --start`)
          const { body } = call('/readyz')
          machine.run(
            'runuser -u postgres -- psql --port 5499 --quiet',
            withPassword(blockOf('operate/first-day.md', 'sql')),
          )
          const databaseUrl = withPassword('postgresql://switchboard:…@127.0.0.1:5499/switchboard?sslmode=disable\n')
          expect(follow('first-day.md', 'Three servers over PostgreSQL', {}, databaseUrl)).toContain('can be restored')
          expect(call('/readyz').body).not.toEqual(body)
          expect(signIn()).toBe(200)
          follow('every-release.md', 'Upgrade')
          expect(call('/healthz').body).toMatchObject({ version: NEXT })
          expect(machine.run('systemctl start switchboard-backup; systemctl is-active switchboard-backup.timer')).toBe(
            'active\n',
          )
        },
      )

      /** Runs the commands of a section, without those that need a network. Returns what they print. */
      function follow(page: string, section: string, other: Record<string, string> = {}, input = ''): string {
        const text = readFileSync(path.join(root, 'docs/operate', page), 'utf8').split(`\n## ${section}\n`)[1] ?? ''
        const [, block = ''] = /```sh\n(.*?)```/s.exec(text) ?? []
        const commands = block.split('\n').filter((line) => line !== '' && !/^(apt-get|curl) /.test(line))
        expect(commands, section).not.toEqual([])
        const replaced = {
          '1.0.0': version,
          '1.1.0': NEXT,
          'linux-x64': platform,
          'example.com': 'localhost',
          ...other,
        }
        return (
          commands
            .map((command) => Object.entries(replaced).reduce((line, [one, by]) => line.replaceAll(one, by), command))
            // The standard input of a program of Node is a socket, which /dev/stdin cannot open.
            .map((command) => machine.run(`cd /opt && cat | ${command}`, input))
            .join('')
        )
      }

      /** A release of the same code with another version, and its sum. */
      function packNext(): void {
        const packed = path.join(machines, `switchboard-${NEXT}`)
        cpSync(path.join(machines, `switchboard-${version}`), packed, { recursive: true, verbatimSymlinks: true })
        const manifest = path.join(packed, 'package.json')
        writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"${version}"`, `"${NEXT}"`))
        execFileSync('tar', [
          '--create',
          `--directory=${machines}`,
          `--file=${packed}-${platform}.tar.gz`,
          path.basename(packed),
        ])
        rmSync(packed, { recursive: true })
        const sums = execFileSync('sha256sum', [archiveOf(NEXT)], { cwd: machines })
        writeFileSync(path.join(machines, 'SHA256SUMS'), sums)
      }

      /** The answer of the console by TLS through Caddy, from inside the machine. */
      function call(url: string, body?: object): { status: number; body: unknown } {
        const printed = machine.run(
          `/opt/switchboard/bin/node --eval '${CALL}' '${url}' '${JSON.stringify(body ?? null)}'`,
        )
        return JSON.parse(printed)
      }

      function signIn(): number {
        const password = machine.run('cat /etc/switchboard/secrets/super_admin_password').trim()
        return call('/api/v1/admin/auth/login', { email: 'admin@switchboard.local', password }).status
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

/** Prints the status and the body of the answer of https://console.localhost. */
const CALL = `
  const [path, body] = process.argv.slice(1)
  const post = body === "null" ? {} : { method: "POST" }
  const headers = { host: "console.localhost", origin: "https://console.localhost", "content-type": "application/json" }
  const to = { host: "127.0.0.1", servername: "console.localhost", path, headers, rejectUnauthorized: false, ...post }
  const request = require("node:https").request(to, async (answer) => {
    const text = (await answer.toArray()).join("")
    console.log(JSON.stringify({ status: answer.statusCode, body: text.startsWith("{") ? JSON.parse(text) : text }))
  })
  request.on("error", ({ message }) => console.log(JSON.stringify({ status: 0, body: message })))
  request.end(body === "null" ? undefined : body)`

const PROGRAM = `
  import { createSwitchboardClient, dataOf } from '@switchboard/client'
  import { createRuntime } from '@switchboard/client/runtime'
  const [url, password] = process.argv.slice(2)
  const body = { email: 'admin@switchboard.local', password }
  const { admin } = await dataOf(createSwitchboardClient({ url, token: '' }).POST('/api/v1/admin/auth/login', { body }))
  const runtime = createRuntime({ url: 'http://127.0.0.1:1', token: '', onError: () => {} })
  const { status } = await runtime.verifyKey('none')
  console.log(admin.email, status)`

function archiveOf(release: string): string {
  return `switchboard-${release}-${platform}.tar.gz`
}

function withPassword(text: string): string {
  return text.replaceAll('…', 'quiet-harbor')
}

async function healthOf(address: string): Promise<unknown> {
  return await (await fetch(`${address}/healthz`)).json()
}
