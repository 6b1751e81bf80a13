import assert from 'node:assert'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '@switchboard/contract/auth'
import { containerArguments, networkArguments, readCompose, type Service } from './compose.ts'
import { makeStandIns, PROGRAMS } from './stand-ins.ts'
import type { Store } from './store.ts'

/** The servers, each with its port and whether it may reach addresses outside of the networks. */
const SERVERS = [
  { name: 'admin-api', port: 3000, isLedOutside: true },
  { name: 'ai-api', port: 3001, isLedOutside: false },
  { name: 'worker', port: 3004, isLedOutside: true },
]
const NODE = '/usr/local/bin/node'
/** Named by the page for operators. */
const FIRST_ADMIN = 'admin@switchboard.local'
/** Root of a locked-down machine may not raise its limits, as Podman does otherwise. */
const LIMITS = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096']
const WAIT_MS = 120_000
const root = path.resolve(import.meta.dirname, '../..')

/**
 * Throws unless this machine starts a container of `image`, which has Node, like those of compose.yaml: in a network with
 * names, with limits and without rights.
 */
export function tryContainer(store: Store, image: string): void {
  store.podman('network', 'create', 'trial')
  const limits = [
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--memory=200m',
    '--pids-limit=100',
  ]
  const options = ['--rm', '--name=trial', '--network=trial', `--entrypoint=${NODE}`, '--no-healthcheck']
  const module = "await (await import('node:dns/promises')).resolve('trial')"
  store.podman('run', ...options, ...LIMITS, ...limits, image, '--input-type=module', '--eval', module)
  store.podman('network', 'rm', 'trial')
}

/**
 * Starts each service of compose.yaml with `image`, in a copy of its folder below `place`, and follows the page for
 * operators to a sign-in, a backup and metrics. Throws at the first difference.
 */
export async function checkCompose(store: Store, image: string, version: string, place: string): Promise<void> {
  const folder = path.join(place, 'deploy/compose')
  const ofOperators = ['.env', 'backups', 'secrets', 'settings.env'].map((name) =>
    path.join(root, 'deploy/compose', name),
  )
  cpSync(path.join(root, 'deploy'), path.dirname(folder), {
    recursive: true,
    filter: (source) => !ofOperators.includes(source),
  })
  const { services, networks } = readCompose(folder, { SWITCHBOARD_IMAGE: image })
  const names = Object.values(services).map((service) => service.image)
  makeStandIns(
    store,
    [...new Set(names)].filter((name) => name !== image),
    place,
  )
  for (const [name, network] of Object.entries(networks))
    store.podman('network', 'create', ...networkArguments(name, network))
  for (const [name, service] of Object.entries(services)) {
    await untilReady(store, service)
    makeFolders(service, folder)
    const programs = service.image === image ? [] : [PROGRAMS]
    store.podman('run', '--detach', ...LIMITS, ...programs, ...containerArguments(name, service, folder))
  }
  for (const server of SERVERS) await checkServer(store, server, version)
  await checkSignIn(store)
  await checkBackup(folder)
  await checkMetrics(store)
}

async function untilReady(store: Store, { depends_on }: Service): Promise<void> {
  for (const [name, { condition }] of Object.entries(depends_on)) {
    if (condition === 'service_healthy') await untilHealthy(store, name)
    else assert.equal(store.podman('wait', name), '0', store.logs(name))
  }
}

/** As Docker does. Podman refuses a missing folder. */
function makeFolders({ volumes }: Service, folder: string): void {
  for (const volume of volumes.filter((each) => each.startsWith('./'))) {
    const source = path.join(folder, volume.split(':')[0] ?? '')
    if (!existsSync(source)) mkdirSync(source)
  }
}

async function untilHealthy(store: Store, name: string): Promise<void> {
  await eventually(() => store.podman('healthcheck', 'run', name)).catch((error: unknown) => {
    throw new Error(`${name} is not healthy:\n${store.logs(name)}`, { cause: error })
  })
}

async function checkServer(store: Store, { name, port, isLedOutside }: (typeof SERVERS)[number], version: string) {
  await untilHealthy(store, name)
  const says = `console.log((await (await fetch('http://127.0.0.1:${port}/healthz')).json()).version)`
  assert.equal(evaluate(store, name, says), version)
  const shows = `const { readFileSync } = await import('node:fs')
    for (const file of ['1/status', 'mounts', 'net/route']) console.log(readFileSync('/proc/' + file, 'utf8'))`
  const system = evaluate(store, name, shows)
  assert.match(system, /^Uid:\t65532\t/m)
  assert.match(system, /^CapEff:\t0+$/m)
  assert.match(system, /^NoNewPrivs:\t1$/m)
  assert.match(system, /^\S+ \/ \S+ ro,/m)
  assert.equal(/^\S+\t0{8}\t/m.test(system), isLedOutside, system)
  console.log(`${name} is healthy, locked down and says ${version}.`)
}

/** Through Caddy and its certificate, with a password by the command of the page. */
async function checkSignIn(store: Store): Promise<void> {
  let printed = ''
  // The name server of the networks pauses after the start of another container.
  await eventually(() => {
    printed = store.podman('exec', 'admin-api', NODE, 'scripts/admin.ts', 'reset-password', FIRST_ADMIN)
  })
  const [, password = ''] = /^Password +(\S+)/m.exec(printed) ?? []
  const body = JSON.stringify({ email: FIRST_ADMIN, password })
  const headers = { host: 'localhost', 'content-type': 'application/json' }
  const to = {
    host: 'caddy',
    servername: 'localhost',
    rejectUnauthorized: false,
    path: login.url,
    method: login.method,
  }
  const asks = `const { request } = await import('node:https')
    request(${JSON.stringify({ ...to, headers })}, ({ statusCode }) => {
      console.log(statusCode)
      process.exit()
    }).end(${JSON.stringify(body)})`
  await eventually(() => assert.equal(evaluate(store, 'worker', asks), '200'))
  console.log('A person signs in through Caddy.')
}

async function checkBackup(folder: string): Promise<void> {
  await eventually(() => assert.match(readdirSync(path.join(folder, 'backups')).join('\n'), /\.backup$/m))
  console.log('The backup of the night is made.')
}

async function checkMetrics(store: Store): Promise<void> {
  const asks = `const answer = await fetch('http://prometheus:9090/api/v1/query?query=sum(up)')
    console.log((await answer.json()).data.result[0].value[1])`
  await eventually(() => assert.equal(evaluate(store, 'admin-api', asks), `${SERVERS.length}`))
  console.log('Prometheus scrapes the servers.')
}

/** What a module prints in a container. */
function evaluate(store: Store, name: string, module: string): string {
  return store.podman('exec', name, NODE, '--input-type=module', '--eval', module)
}

/** Repeats the step until it succeeds. Throws its last error. */
async function eventually(step: () => unknown): Promise<void> {
  const end = performance.now() + WAIT_MS
  for (;;) {
    try {
      step()
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(500)
    }
  }
}
