import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { authorizeKey, verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { createTenant, tenantList, updateTenant } from '@switchboard/contract/tenants'
import { connect } from '@switchboard/database/connection/connect'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { startSession } from '#apps/admin-api/src/auth/sessions/sessions.service.ts'
import { freePort, type Proxy, startProxy } from '#tests/proxies.ts'
import { dataFolder, SHARED_SECRET } from '#tests/server-process.ts'
import { keptSocket, ownSocket, type RestartableServer } from './restartable-server.ts'

// Restarts two admin-apis and two ai-apis behind a balancer, one after the other, under constant load: `node
// tests/faults/rolling-restart.ts --requests 100000 --balancer nginx --kept-sockets`.

const CLIENTS = 8
/** Enough sessions to stay below the limit of changes per session. */
const SESSIONS = 200
const PASSWORD = 'rolling restarts, no loss'
/** The ports of docs/operate/rolling-restarts.md. */
const DOCUMENTED_PORTS = [3000, 3010, 3001, 3011, 8080, 8081] as const

export type RollingOptions = {
  balancer: Proxy
  /** Number of answered requests after which the restarts end. Each server is restarted at least once. */
  requests: number
  drainSeconds: number
  /** Pause between a server's readiness and the next restart. */
  restSeconds: number
  /** Whether nginx leaves a server out for ten seconds after a failure, its default. */
  hasNginxDefaults: boolean
  /** Without creations: nginx does not repeat such a POST when a server stops listening at that moment. */
  isRepeatable?: boolean
  /** Whether a supervisor listens for the servers, so that connections wait during a restart. */
  hasKeptSockets?: boolean
}

export type Rolled = {
  requests: number
  restarts: number
  /** Request and answer, for every answer without success. */
  lost: string[]
  slowestStopMs: number
  /** Exit codes other than 0. */
  codes: (number | null)[]
}

/** Rolls over a migrated database. */
export async function rollingRestart(databaseUrl: string, options: RollingOptions): Promise<Rolled> {
  const ports: Record<string, number> = {}
  for (const port of DOCUMENTED_PORTS) ports[port] = await freePort()
  const servers: RestartableServer[] = []
  // In order: the first admin-api creates the super admin.
  for (const port of [3000, 3001, 3010, 3011]) {
    const server = await serverOn(port, ports[port] ?? 0, databaseUrl, options)
    servers.push(server)
    await server.start()
  }
  const stopBalancer = startProxy(options.balancer, 'operate/rolling-restarts.md', ports, (text) =>
    (options.hasNginxDefaults ? text.replaceAll(' max_fails=0', '') : text).replaceAll(
      'keepalive_timeout 2s',
      `keepalive_timeout ${options.drainSeconds - 2}s`,
    ),
  )
  const done = new AbortController()
  const rolled: Rolled = { requests: 0, restarts: 0, lost: [], slowestStopMs: 0, codes: [] }
  try {
    const addresses = { admin: `http://127.0.0.1:${ports[8080]}`, ai: `http://127.0.0.1:${ports[8081]}` }
    const calls = await callsOf(databaseUrl, addresses, options.isRepeatable ?? false)
    const clients = calls.map(async (call) => {
      for (let n = 0; !done.signal.aborted; n += 1) {
        const problem = await call(n)
        rolled.requests += 1
        if (problem !== null) rolled.lost.push(`${rolled.restarts}: ${problem}`)
      }
    })
    for (let n = 0; n < servers.length || rolled.requests < options.requests; n += 1) {
      await restart(servers[n % servers.length], rolled)
      await sleep(options.restSeconds * 1_000)
    }
    done.abort()
    await Promise.all(clients)
    return rolled
  } finally {
    done.abort()
    await Promise.all(servers.map((server) => server.end()))
    await stopBalancer()
  }
}

async function serverOn(
  documented: number,
  port: number,
  databaseUrl: string,
  { drainSeconds, hasKeptSockets = false }: RollingOptions,
): Promise<RestartableServer> {
  const isAdmin = documented === 3000 || documented === 3010
  const variable = isAdmin ? 'PORT' : 'AI_PORT'
  const script = isAdmin ? 'apps/admin-api/src/main.ts' : 'apps/ai-api/src/main.ts'
  const settings = {
    DATABASE_URL: databaseUrl,
    WEBHOOK_SECRET: SHARED_SECRET,
    SUPER_ADMIN_PASSWORD: PASSWORD,
    DRAIN_SECONDS: String(drainSeconds),
    TRUST_PROXY: '127.0.0.1',
    [variable]: String(port),
  }
  return hasKeptSockets ? await keptSocket(settings, script, variable) : ownSocket(settings, script)
}

async function restart(server: RestartableServer | undefined, rolled: Rolled): Promise<void> {
  const began = performance.now()
  const code = await server?.stop()
  if (code !== 0) rolled.codes.push(code ?? null)
  rolled.slowestStopMs = Math.max(rolled.slowestStopMs, performance.now() - began)
  await server?.start()
  rolled.restarts += 1
}

/** The nth call of a client: null after success, otherwise the problem. */
type Call = (n: number) => Promise<string | null>

/** The calls of each client: reads, repeatable writes, checks of a key, and creations. */
async function callsOf(
  databaseUrl: string,
  { admin, ai }: { admin: string; ai: string },
  isRepeatable: boolean,
): Promise<Call[]> {
  await untilUp(admin)
  const db = connect(databaseUrl, { max: 1 })
  const tokens = await tokensOf(db)
  const tenants = await Promise.all(Array.from({ length: CLIENTS }, () => makeTenant(db)))
  const { api_key } = await makeApiKey(db, { tenant_id: tenants[0]?.id ?? '' })
  await db.destroy()
  return tenants.map(({ id }, client) => async (n) => {
    const authorization = `Bearer ${tokens[(n + client) % SESSIONS]}`
    const name = `Tenant ${crypto.randomUUID()}`
    const subdomain = `t-${crypto.randomUUID()}`
    const repeatable: (() => Promise<string | null>)[] = [
      () => problemOf('GET', `${admin}${tenantList.list.url}?limit=10`, { authorization }),
      () => problemOf('PUT', `${admin}${updateTenant.url.replace(':id', id)}`, { authorization }, { name }),
      () => problemOf('GET', `${ai}${authorizeKey.url}`, { 'x-api-key': api_key }),
      () => problemOf(verifyKey.method, `${ai}${verifyKey.url}`, {}, { api_key }),
    ]
    const create = () =>
      problemOf(
        createTenant.method,
        `${admin}${createTenant.url}`,
        { authorization },
        { name, subdomain, tenant_type: 'product' },
      )
    const calls = isRepeatable ? repeatable : [...repeatable, create]
    return (await calls[n % calls.length]?.()) ?? null
  })
}

/** The balancer may not listen yet. */
async function untilUp(address: string): Promise<void> {
  for (let n = 0; n < 600; n += 1) {
    const isUp = await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await sleep(100)
  }
  throw new Error('The balancer does not answer.')
}

/** The tokens of new sessions of the first super admin. */
async function tokensOf(db: Kysely<Database>): Promise<string[]> {
  const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const tokens: string[] = []
  for (let n = 0; n < SESSIONS; n += 1) {
    const session = { user_id, address: null, user_agent: null }
    tokens.push((await startSession({ now: () => new Date(), randomBytes }, db, session)).access_token)
  }
  return tokens
}

async function problemOf(method: string, url: string, headers: Record<string, string>, body?: object) {
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return answer.ok ? null : `${method} ${url} ${answer.status} ${text.slice(0, 200)}`
  } catch (error) {
    return `${method} ${url} ${String(error)}`
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      balancer: { type: 'string', default: 'nginx' },
      drain: { type: 'string', default: '5' },
      rest: { type: 'string', default: '2' },
      'nginx-defaults': { type: 'boolean', default: false },
      'kept-sockets': { type: 'boolean', default: false },
    },
  })
  const postgres = await startEmbeddedPostgres({ dataDir: dataFolder(), log: () => undefined })
  const db = connect(postgres.url)
  await migrate(db)
  await db.destroy()
  const rolled = await rollingRestart(postgres.url, {
    balancer: values.balancer === 'haproxy' || values.balancer === 'caddy' ? values.balancer : 'nginx',
    requests: Number(values.requests),
    drainSeconds: Number(values.drain),
    restSeconds: Number(values.rest),
    hasNginxDefaults: values['nginx-defaults'],
    hasKeptSockets: values['kept-sockets'],
  })
  await postgres.stop()
  console.log({ ...rolled, lost: rolled.lost.length, first: rolled.lost.slice(0, 20) })
  process.exitCode = rolled.lost.length === 0 ? 0 : 1
}
