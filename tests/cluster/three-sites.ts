import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { type Kysely, sql } from 'kysely'
import { dataFolder, type ServerProcess, startAiApi } from '#tests/server-process.ts'
import { canMakeNetworks, makeNetwork } from './networks.ts'
import { startSlowNetwork } from './slow-network.ts'

// ai-apis at three sites over one PostgreSQL at the first site. Prints the work of a check with more and more processes, and
// the last acceptance of switched-off keys, as root on Linux: `node tests/cluster/three-sites.ts`.
// A site is a network namespace. Clients reach each site without delay.

const SITES = 3
const KEYS = 200
/** Interval of the checks of each process under load, and of a key that is switched off. */
const LOAD_EVERY_MS = 50
const PROBE_EVERY_MS = 25
const SETTLE_MS = 3_000
const DATABASE_PORT = 5432
/** The ports of the first process. */
const AI_PORT = 3_001
const OPS_PORT = 4_001

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,5,20' },
    seconds: { type: 'string', default: '15' },
    toggles: { type: 'string', default: '60' },
    delay: { type: 'string', default: '15' },
    loss: { type: 'string', default: '0.01' },
  },
})
const seconds = Number(values.seconds)

type AiApi = ServerProcess & { host: string; port: number; opsPort: number }

/** `fetch` costs more than a check. */
const agent = new Agent({ keepAlive: true })

if (!canMakeNetworks) throw new Error('Network namespaces need root on Linux.')
const postgres = await startEmbeddedPostgres({
  dataDir: dataFolder(),
  settings: { max_connections: '300' },
  log: () => undefined,
})
const db = connect(postgres.url, { max: 2 })
const socket = `${new URL(postgres.url).searchParams.get('host')}/.s.PGSQL.5432`
const network = makeNetwork(SITES)
const slow = await startSlowNetwork(network.machines, {
  link: { delayMs: Number(values.delay), loss: Number(values.loss) },
  ownPort: DATABASE_PORT,
  socketPath: socket,
})
const databaseUrl = urlAt(`${slow.addresses[0]}:${DATABASE_PORT}`)
const aiApis: AiApi[] = []
try {
  await migrate(db)
  const secrets = await makeKeys()
  const work = []
  for (const count of values.processes.split(',').map(Number)) {
    await startUpTo(count)
    for (const aiApi of aiApis) await Promise.all(secrets.map((secret) => statusOf(aiApi, secret)))
    // Sends the statistics of this connection to PostgreSQL.
    await transactions(db)
    await sleep(SETTLE_MS)
    work.push({ processes: count, ...(await measureWork(secrets)) })
  }
  console.table(work)
  console.table(await measureToggles(Number(values.toggles)))
} finally {
  for (const { child } of aiApis) child.kill('SIGKILL')
  await Promise.all(aiApis.map(({ ended }) => ended))
  await slow.stop()
  network.remove()
  await db.destroy()
  await postgres.stop()
}

function urlAt(host: string): string {
  const { username, password, pathname } = new URL(postgres.url)
  return `postgresql://${username}:${password}@${host}${pathname}`
}

async function makeKeys(): Promise<string[]> {
  const { id: tenant_id } = await makeTenant(db)
  const secrets: string[] = []
  for (let n = 0; n < KEYS; n += 1) secrets.push((await makeApiKey(db, { tenant_id })).api_key)
  return secrets
}

/** Starts processes, at the sites in turn, until there are `count`. */
async function startUpTo(count: number): Promise<void> {
  const added = Array.from({ length: count - aiApis.length }, (_, at): AiApi => {
    const n = aiApis.length + at
    const { host, enter } = network.machines[n % SITES] ?? { host: '', enter: [] }
    const [port, opsPort] = [AI_PORT + n, OPS_PORT + n]
    const settings = { HOST: host, AI_PORT: String(port), OPS_HOST: host, AI_OPS_PORT: String(opsPort) }
    return { ...startAiApi({ databaseUrl, settings, enter }), host, port, opsPort }
  })
  aiApis.push(...added)
  await Promise.all(added.map(({ ready }) => ready()))
}

/** The figures of an idle time and of a time with `1000 / LOAD_EVERY_MS` checks a second for each process. */
async function measureWork(secrets: readonly string[]) {
  const idleSince = await workSoFar()
  await sleep(seconds * 1_000)
  const idle = perSecond(idleSince, await workSoFar())
  const since = await workSoFar()
  const times: number[] = []
  let refused = 0
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  const startedAt = performance.now()
  const open: Promise<void>[] = []
  const check = async (aiApi: AiApi, dueAt: number) => {
    const status = await statusOf(aiApi, secrets[Math.floor(Math.random() * KEYS)] ?? '')
    if (status === 200) times.push(performance.now() - dueAt)
    else refused += 1
  }
  for (let dueAt = startedAt; dueAt < startedAt + seconds * 1_000; dueAt += LOAD_EVERY_MS) {
    // Late or not, answers must be read meanwhile.
    await sleep(Math.max(0, dueAt - performance.now()))
    for (const aiApi of aiApis) open.push(check(aiApi, dueAt))
  }
  await Promise.all(open)
  const loaded = perSecond(since, await workSoFar())
  const count = aiApis.length
  times.sort((one, other) => one - other)
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1)
  return {
    'offered per s': (count * 1_000) / LOAD_EVERY_MS,
    'served per s': (times.length / seconds).toFixed(0),
    refused,
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'client late, p99 ms': (lag.percentile(99) / 1e6).toFixed(1),
    'CPU ms per check': ((loaded.cpuMs - idle.cpuMs) / (times.length / seconds)).toFixed(2),
    'CPU ms per s and process, idle': (idle.cpuMs / count).toFixed(0),
    'key queries per check': (loaded.misses / loaded.checks).toFixed(3),
    'transactions per s and process, idle': (idle.transactions / count).toFixed(1),
    'under load': (loaded.transactions / count).toFixed(1),
  }
}

type Work = { at: number; cpuMs: number; checks: number; misses: number; transactions: number }

/** Processor time of the ai-apis, their look-ups of keys, and the transactions of the database. */
async function workSoFar(): Promise<Work> {
  const work = { at: performance.now(), cpuMs: 0, checks: 0, misses: 0, transactions: await transactions(db) }
  for (const { child, host, opsPort } of aiApis) {
    // User and system time are the 14th and the 15th field, in hundredths of a second; the 2nd one is in parentheses.
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
    work.cpuMs += (Number(fields[11]) + Number(fields[12])) * 10
    const text = await (await fetch(`http://${host}:${opsPort}/metrics`)).text()
    const reads = (result: string) =>
      Number(new RegExp(`^api_key_cache_reads_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1])
    work.misses += reads('miss')
    work.checks += reads('hit') + reads('miss')
  }
  return work
}

function perSecond(before: Work, after: Work): Work {
  const rate = (name: keyof Work) => ((after[name] - before[name]) / (after.at - before.at)) * 1_000
  return {
    at: after.at,
    cpuMs: rate('cpuMs'),
    checks: rate('checks'),
    misses: rate('misses'),
    transactions: rate('transactions'),
  }
}

async function transactions(observer: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select xact_commit as count from pg_stat_database where datname = current_database()`.execute(observer)
  return rows[0]?.count ?? Number.NaN
}

/**
 * Switches a key off again and again while every process checks it all the time. A time begins when the statement is sent,
 * before its commit, and ends with an answer.
 */
async function measureToggles(count: number) {
  const { id: tenant_id } = await makeTenant(db)
  const { id, api_key } = await makeApiKey(db, { tenant_id })
  const sites = Array.from({ length: SITES }, () => ({ accepted: [0], refused: [0] }))
  const state = { offAt: Number.POSITIVE_INFINITY, isOver: false, round: 0 }
  const refusedIn = aiApis.map(() => 0)
  const others = new Map<number, number>()
  const ask = async (aiApi: AiApi, n: number) => {
    const { round } = state
    const status = await statusOf(aiApi, api_key)
    const ms = performance.now() - state.offAt
    if (status !== 200 && status !== 401) others.set(status, (others.get(status) ?? 0) + 1)
    // The key is not switched off yet, or this answers a question of an earlier round.
    if (ms < 0 || round !== state.round) return
    if (status === 200) sites[n % SITES]?.accepted.push(ms)
    if (status === 401 && refusedIn[n] !== round) {
      refusedIn[n] = round
      sites[n % SITES]?.refused.push(ms)
    }
  }
  const probe = async (aiApi: AiApi, n: number) => {
    const asked: Promise<void>[] = []
    while (!state.isOver) {
      asked.push(ask(aiApi, n))
      await sleep(PROBE_EVERY_MS)
    }
    await Promise.all(asked)
  }
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  const probing = aiApis.map(probe)
  for (let round = 1; round <= count; round += 1) {
    state.round = round
    await setActive(id, true)
    await Promise.all(aiApis.map((aiApi) => until(aiApi, api_key, 200)))
    state.offAt = performance.now()
    await setActive(id, false)
    while (refusedIn.some((refused) => refused !== round)) await sleep(5)
    await Promise.all(aiApis.map((aiApi) => until(aiApi, api_key, 401)))
    state.offAt = Number.POSITIVE_INFINITY
  }
  state.isOver = true
  await Promise.all(probing)
  return sites.map(({ accepted, refused }, site) => {
    refused.sort((one, other) => one - other)
    return {
      site: site + 1,
      toggles: count,
      'processes × toggles': refused.length - 1,
      'first refusal, median ms': refused[Math.floor(refused.length / 2)]?.toFixed(0),
      'longest ms': Math.max(...refused).toFixed(0),
      'last acceptance ms': Math.max(...accepted).toFixed(0),
      'client late, longest ms': (lag.max / 1e6).toFixed(0),
      'other answers': [...others].join(' '),
    }
  })
}

async function setActive(id: string, is_active: boolean): Promise<void> {
  await db.updateTable('api_keys').set({ is_active }).where('id', '=', id).execute()
}

async function until(aiApi: AiApi, secret: string, status: number): Promise<void> {
  while ((await statusOf(aiApi, secret)) !== status) await sleep(PROBE_EVERY_MS)
}

function statusOf({ host, port }: AiApi, secret: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const body = JSON.stringify({ api_key: secret })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const { method, url: path } = verifyKey
  request({ agent, host, port, method, path, headers }, (answer) => {
    answer.resume()
    answer.on('end', () => resolve(answer.statusCode ?? 0))
  })
    .on('error', () => resolve(0))
    .end(body)
  return promise
}
