import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { freePort } from '#tests/proxies.ts'
import { installedPostgres } from '#tests/installed-postgres.ts'
import { dataFolder } from '#tests/server-process.ts'
import { addressOn, configurationOf, keyIn, makeCertificate, setupStatements } from './patroni-configuration.ts'

// A cluster of PostgreSQL under Patroni and etcd, as in docs/operate/high-availability.md.

const [bin = ''] = installedPostgres()
export const hasPatroni = bin !== '' && ['patroni', 'etcd', 'setpriv'].every((name) => existsSync(`/usr/bin/${name}`))

/** How long the cluster may take to become complete, in milliseconds. */
const COMPLETE_MS = 120_000

/** The address of every member and of etcd. */
export const HOST = '127.0.0.1'

export type PatroniCluster = Awaited<ReturnType<typeof startPatroniCluster>>
export type Member = { name: string; url: string; port: number; restPort: number }

const clusterState = z.object({ members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })) })

/** Starts a cluster of two members and waits until both replicate. */
export async function startPatroniCluster() {
  const folder = dataFolder()
  const running = new Map<string, ChildProcess>()
  const [clientPort, peerPort] = [await freePort(), await freePort()]
  const run = (name: string, ...command: readonly string[]) => {
    const log = openSync(path.join(folder, `${name}.log`), 'a')
    // The signal ends the program after a kill of this process.
    const args = ['--pdeathsig', 'TERM', ...ACCOUNT, ...command]
    running.set(name, spawn('setpriv', args, { env: ENV, cwd: '/', stdio: ['ignore', log, log] }))
    closeSync(log)
  }
  const kill = async (name: string) => {
    const child = running.get(name)
    running.delete(name)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  makeCertificate(folder, HOST)
  giveAway(keyIn(folder))
  makeOwnFolder(path.join(folder, 'etcd'))
  const startEtcd = () => run('etcd', ...etcdCommand(folder, clientPort, peerPort))
  startEtcd()
  const members: Member[] = []
  for (const name of ['db1', 'db2']) {
    const [port, restPort] = [await freePort(), await freePort()]
    members.push({ name, url: addressOn(folder, `${HOST}:${port}`), port, restPort })
    makeOwnFolder(path.join(folder, name))
    const member = { name, host: HOST, port, restPort }
    const configuration = configurationOf(folder, { member, etcdHost: `${HOST}:${clientPort}` })
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(configuration))
  }
  const start = (name: string) => run(name, 'patroni', path.join(folder, `${name}.json`))

  /** Resolves with the name of the primary when all members run and a synchronous standby is named. */
  const untilComplete = async (): Promise<string> => {
    const deadline = performance.now() + COMPLETE_MS
    for (;;) {
      const states = await Promise.all(members.map(stateOf))
      const leader = leaderOfComplete(states, members.length)
      if (leader !== undefined) return leader
      if (performance.now() > deadline) throw new Error(`The cluster is incomplete: ${JSON.stringify(states)}`)
      await sleep(100)
    }
  }

  for (const { name } of members) start(name)
  const primary = await untilComplete()
  const hostsOf = (some: readonly Member[]) => some.map(({ port }) => `${HOST}:${port}`).join()
  const leaders = members.filter(({ name }) => name === primary)
  await setUp(addressOn(folder, hostsOf(leaders), { user: 'postgres', database: 'postgres' }))
  return {
    members,
    /** All members in one URL of several hosts. */
    url: addressOn(folder, hostsOf(members)),
    start,
    untilComplete,
    /** Ends a member at once: its Patroni, then its PostgreSQL. */
    async kill(name: string): Promise<void> {
      await kill(name)
      signalPostgres(folder, name, 'SIGKILL')
    },
    /** Ends etcd at once. Returns a function for a new start. */
    async killEtcd(): Promise<() => void> {
      await kill('etcd')
      return startEtcd
    },
    async stop(): Promise<void> {
      for (const name of running.keys()) await kill(name)
      for (const { name } of members) while (signalPostgres(folder, name, 'SIGQUIT')) await sleep(20)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' }

/** PostgreSQL does not run as root. */
const ACCOUNT =
  process.getuid?.() === 0 ? ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--no-new-privs'] : []

function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  giveAway(folder)
}

/** Lets the account of PostgreSQL own a file or folder. */
function giveAway(file: string): void {
  if (ACCOUNT.length > 0) spawnSync('chown', ['postgres:postgres', file])
}

async function setUp(url: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  for (const statement of setupStatements()) await client.query(statement)
  await client.end()
}

function etcdCommand(folder: string, clientPort: number, peerPort: number): string[] {
  const [client, peer] = [`http://${HOST}:${clientPort}`, `http://${HOST}:${peerPort}`]
  const settings = {
    'data-dir': path.join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  }
  return ['etcd', ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)]
}

/** The cluster as Patroni of this member sees it; undefined while it does not answer. */
async function stateOf({ restPort }: Member) {
  try {
    const answer = await fetch(`http://${HOST}:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
    return clusterState.parse(await answer.json()).members
  } catch {
    return undefined
  }
}

type State = Awaited<ReturnType<typeof stateOf>>

/** The primary, when every member answers and sees the same complete cluster. */
function leaderOfComplete(states: State[], count: number): string | undefined {
  const leaders = new Set(
    states.map((members = []) => {
      const isWhole = members.length === count && members.every(({ state }) => /^(running|streaming)$/.test(state))
      const hasStandby = members.some(({ role }) => role === 'sync_standby')
      return isWhole && hasStandby ? members.find(({ role }) => role === 'leader')?.name : undefined
    }),
  )
  return leaders.size === 1 ? [...leaders][0] : undefined
}

/** Signals the PostgreSQL of a member. Returns whether it ran. */
function signalPostgres(folder: string, name: string, signal: NodeJS.Signals): boolean {
  try {
    const [pid] = readFileSync(path.join(folder, name, 'data/postmaster.pid'), 'utf8').split('\n')
    return process.kill(Number(pid), signal)
  } catch {
    return false
  }
}
