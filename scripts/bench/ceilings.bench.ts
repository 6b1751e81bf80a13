import { fork } from 'node:child_process'
import { once } from 'node:events'
import { login } from '@switchboard/contract/auth'
import { createTenant, tenantList } from '@switchboard/contract/tenants'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { makeApiKey, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { SHARED_SECRET, startAiApi, startProcess, startWorker, tokenAt } from '#tests/server-process.ts'
import { type KeysServer, VERIFY_PATH } from '#scripts/bench/keys/keys-server.ts'
import type { Figure } from './measure.ts'
import { clusterMs, statOf } from './processor-time.ts'
import { rawClient, rawRequest } from './raw-client.ts'
import { createDatabase, withPostgres } from './with-postgres.ts'

const KEYS = 2_000
const TENANTS = 10_000
const CONNECTIONS = 32
const ROUND_MS = 5_000
const PASSWORD = 'how far does one core go'
/** Connections that listen, as ai-apis and workers do. */
const LISTENERS = [0, 20, 100]

/**
 * Processor time of one call in its server and in PostgreSQL. The other work of a machine changes it less than the calls per
 * second, which are lower bounds. Linux only.
 */
export async function benchCeilings(): Promise<Figure[]> {
  return await withPostgres(
    async (postgresUrl) => {
      const databaseUrl = await createDatabase(postgresUrl, 'ceilings')
      const db = connect(databaseUrl, { statementTimeoutMs: 300_000 })
      try {
        await migrate(db)
        await makeManyTenants(db, TENANTS)
        const postmaster = await postmasterOf(db)
        return [
          ...(await checkFigures(db, databaseUrl, postmaster)),
          ...(await consoleFigures(databaseUrl, postmaster)),
          ...(await announcementFigures(db, databaseUrl, postmaster)),
        ]
      } finally {
        await db.destroy()
      }
    },
    { settings: { max_connections: '200' } },
  )
}

async function checkFigures(db: Kysely<Database>, databaseUrl: string, postmaster: number): Promise<Figure[]> {
  const { id: tenant_id } = await makeTenant(db)
  const requests: Buffer[] = []
  for (let n = 0; n < KEYS; n += 1)
    requests.push(post(VERIFY_PATH, { api_key: (await makeApiKey(db, { tenant_id })).api_key }))
  const request = () => requests[Math.floor(Math.random() * KEYS)] ?? Buffer.alloc(0)
  const cached = startAiApi({ databaseUrl })
  const uncached = fork(new URL('keys/keys-server.ts', import.meta.url))
  uncached.send({ kind: 'uncached' satisfies KeysServer, databaseUrl })
  const [uncachedPort]: unknown[] = await once(uncached, 'message')
  const port = Number(new URL(await cached.ready()).port)
  await drive(port, request)
  const figures = [
    await figureOf('check of a cached key', cached.child.pid, postmaster, () => drive(port, request)),
    await figureOf('check without the cache', uncached.pid, postmaster, () => drive(Number(uncachedPort), request)),
  ]
  uncached.disconnect()
  cached.child.kill('SIGTERM')
  await cached.ended
  return figures
}

async function consoleFigures(databaseUrl: string, postmaster: number): Promise<Figure[]> {
  const settings = { DATABASE_URL: databaseUrl, SUPER_ADMIN_PASSWORD: PASSWORD, WEBHOOK_SECRET: SHARED_SECRET }
  const server = startProcess(settings, 'apps/admin-api/src/main.ts')
  const worker = startWorker({ databaseUrl })
  const address = await server.ready()
  await worker.ready()
  const port = Number(new URL(address).port)
  const authorization = `Bearer ${await tokenAt(address, PASSWORD)}`
  const list = rawRequest('GET', `${tenantList.list.url}?limit=20`, { authorization })
  const create = (n: number) =>
    post(createTenant.url, { name: `New ${n}`, subdomain: `new-${n}`, tenant_type: 'product' }, { authorization })
  const signIn = post(login.url, { email: 'admin@switchboard.local', password: PASSWORD })
  const calls = { 'page of a list': () => list, 'audited change': create, 'sign-in to the console': () => signIn }
  const figures: Figure[] = []
  for (const [what, request] of Object.entries(calls))
    figures.push(await figureOf(what, server.child.pid, postmaster, () => drive(port, request)))
  for (const { child } of [server, worker]) child.kill('SIGTERM')
  await Promise.all([server.ended, worker.ended])
  return figures
}

/** Changes of keys, each announced to every listening connection. */
async function announcementFigures(db: Kysely<Database>, databaseUrl: string, postmaster: number): Promise<Figure[]> {
  const { id: tenant_id } = await makeTenant(db)
  const keys: string[] = []
  for (let n = 0; n < 8; n += 1) keys.push((await makeApiKey(db, { tenant_id })).id)
  const toggle = async () => {
    const endsAt = performance.now() + ROUND_MS
    let count = 0
    const toggleOne = async (id: string) => {
      for (; performance.now() < endsAt; count += 1)
        await sql`update api_keys set is_active = not is_active where id = ${id}`.execute(db)
    }
    await Promise.all(keys.map(toggleOne))
    return count
  }
  const figures: Figure[] = []
  const listeners: Client[] = []
  for (const count of LISTENERS) {
    while (listeners.length < count) {
      const listener = new Client({ connectionString: databaseUrl })
      listeners.push(listener)
      await listener.connect()
      await listener.query('listen api_keys')
    }
    figures.push(await figureOf(`change of a key, ${count} listening`, undefined, postmaster, toggle))
  }
  await Promise.all(listeners.map((listener) => listener.end()))
  return figures
}

async function figureOf(
  what: string,
  server: number | undefined,
  postmaster: number,
  work: () => Promise<number>,
): Promise<Figure> {
  const serverMs = () => (server === undefined ? 0 : statOf(server).ownMs)
  const before = [serverMs(), clusterMs(postmaster)] as const
  const startedAt = performance.now()
  const count = await work()
  const seconds = (performance.now() - startedAt) / 1_000
  const perCall = [serverMs() - before[0], clusterMs(postmaster) - before[1]].map((ms) => (ms / count).toFixed(3))
  const measured = `${perCall[0]} ms + ${perCall[1]} ms in PostgreSQL, ${(count / seconds).toFixed(0)} per s`
  return { what, measured, figure: 'no bound', holds: true }
}

/** Sends requests over `CONNECTIONS` connections for `ROUND_MS`. Returns their number. Throws when one is refused. */
async function drive(port: number, request: (n: number) => Buffer): Promise<number> {
  const endsAt = performance.now() + ROUND_MS
  let count = 0
  const runClient = async () => {
    const client = await rawClient(port)
    while (performance.now() < endsAt) {
      const status = await new Promise<number>((resolve) => client.send(request((count += 1)), resolve))
      if (status >= 300) throw new Error(`A call was answered with ${status}.`)
    }
    client.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, runClient))
  return count
}

function post(path: string, value: object, headers: Record<string, string> = {}): Buffer {
  const body = JSON.stringify(value)
  const length = String(Buffer.byteLength(body))
  return rawRequest('POST', path, { ...headers, 'content-type': 'application/json', 'content-length': length }, body)
}

async function postmasterOf(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return statOf(rows[0]?.pid ?? 0).parent
}
