import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { STALE_HEADER } from '@switchboard/contract/api-keys/key-verification'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { createLogger } from '@switchboard/server/process/log'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { dataFolder, startAiApi, type ServerProcess } from '#tests/server-process.ts'
import { restartablePostgres } from './restartable-postgres.ts'

// SERVE_STALE_SECONDS and SERVE_STALE_SNAPSHOT, while PostgreSQL is killed. The tests follow each other.

const SHORT = 2
const LONG = 600
/** An announcement has arrived after this time. */
const SETTLE_MS = 500
const ORIGIN = 'https://allowed.example.com'

const folder = dataFolder()
// Servers started as root become another user.
chmodSync(folder, 0o777)
const postgres = await restartablePostgres()
const db = connect(postgres.url, { onLost: () => {} })
await migrate(db)
const { id: tenant_id } = await makeTenant(db)
const soon = () => new Date(Date.now() + 4_000)
const keys = {
  good: await makeApiKey(db, { tenant_id }),
  bound: await makeApiKey(db, { tenant_id, allowed_origins: [ORIGIN] }),
  revoked: await makeApiKey(db, { tenant_id, revoked_at: new Date(), is_active: false }),
  unseen: await makeApiKey(db, { tenant_id }),
  victim: await makeApiKey(db, { tenant_id }),
  expiring: await makeApiKey(db, { tenant_id, expires_at: soon() }),
  inGrace: await makeApiKey(db, { tenant_id, expires_at: soon(), grace_ends_at: soon() }),
}
type Name = keyof typeof keys
const CACHED = ['good', 'bound', 'revoked', 'victim'] as const
const ENDING = ['expiring', 'inGrace'] as const
const HITS = 'api_key_cache_reads_total{result="hit"}'

/** An ai-api in this process, with its log. */
async function aiApi(seconds: number | null) {
  const lines: { level: number; msg: string; accepted?: number }[] = []
  const log = createLogger('warn', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const staleKeys = seconds === null ? null : { seconds, snapshotFile: null, snapshot: null }
  // A separate pool, because the server ends it.
  const pool = connect(postgres.url, { onLost: () => {} })
  const app = await buildAiApi(testDeps({ db: pool, directUrl: postgres.url, log, staleKeys }))
  const check = async (name: Name, origin?: string) => {
    const payload = { api_key: keys[name].api_key, ...(origin !== undefined && { origin }) }
    const { statusCode, headers } = await app.inject({ method: 'POST', url: '/v1/keys/verify', payload })
    return { status: statusCode, stale: headers[STALE_HEADER] }
  }
  const metric = async (name: string) => Number((await app.metrics.metrics()).split(`\n${name} `)[1]?.split('\n')[0])
  return {
    app,
    lines,
    check,
    metric,
    readiness: async () => (await app.inject('/readyz')).json(),
    statusOf: async (name: Name) => (await check(name)).status,
    /** Puts keys into the cache. A key in the cache is not read again. */
    fill: async () => {
      const hits = async () => {
        const before = await metric(HITS)
        for (const name of CACHED) await check(name)
        return (await metric(HITS)) - before
      }
      await expect.poll(hits, { interval: 20 }).toBe(CACHED.length)
      for (const name of ENDING) await check(name)
    },
    close: async () => {
      await app.close()
      await pool.destroy()
    },
  }
}

const apis = { off: await aiApi(null), short: await aiApi(SHORT), long: await aiApi(LONG) }
let started: ServerProcess | undefined
const snapshot = path.join(folder, 'snapshot')
const startWithSnapshot = (settings: Record<string, string> = {}) =>
  startAiApi({
    databaseUrl: postgres.url,
    settings: { SERVE_STALE_SECONDS: `${LONG}`, SERVE_STALE_SNAPSHOT: snapshot, ...settings },
  })
const askAt = async (address: string, name: Name) => {
  const body = JSON.stringify({ api_key: keys[name].api_key })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${address}/v1/keys/verify`, { method: 'POST', headers, body })
  return { status: answer.status, isStale: answer.headers.has(STALE_HEADER) }
}

afterAll(async () => {
  started?.child.kill('SIGKILL')
  await Promise.all(Object.values(apis).map(({ close }) => close()))
  await db.destroy()
  await postgres.remove()
  rmSync(folder, { recursive: true })
})

test('while the database answers, no answer is stale', async () => {
  started = startWithSnapshot()
  const address = await started.ready()
  await Promise.all(Object.values(apis).map(({ fill }) => fill()))
  expect(await apis.long.check('good')).toEqual({ status: 200, stale: undefined })
  expect(await apis.long.readiness()).toMatchObject({ status: 'ok' })

  const [, opsAddress = ''] = /documentation: ([^\s"]+)/.exec(started.output()) ?? []
  const metrics = async () => await (await fetch(`${opsAddress}/metrics`)).text()
  const metricsAfterCheck = async () => {
    expect(await askAt(address, 'good')).toEqual({ status: 200, isStale: false })
    return await metrics()
  }
  await expect.poll(metricsAfterCheck, { interval: 20 }).toMatch(/^api_key_cache_reads_total\{result="hit"\} [1-9]/m)
  started.child.kill('SIGTERM')
  expect(await started.ended).toMatchObject({ code: 0 })
  // Holds from the next start on.
  await sql`alter system set default_transaction_read_only = on`.execute(db)
  await postgres.kill('SIGKILL')
})

test('by default every check is answered with 503, and the server is not ready', async () => {
  const { statusOf, readiness } = apis.off
  await expect.poll(() => statusOf('good')).toBe(503)
  expect(await readiness()).toEqual({ status: 'unavailable' })
})

test('a key known good is accepted with the age of the knowledge, counted and logged', async () => {
  const { check, metric, lines, readiness } = apis.long
  expect(await readiness()).toEqual({ status: 'stale' })
  const answer = await check('good')
  expect(answer.status).toBe(200)
  expect(Number(answer.stale)).toBeGreaterThanOrEqual(0)
  expect((await check('bound', ORIGIN)).status).toBe(200)
  expect(await metric('api_key_stale_checks_total')).toBe(2)
  expect(await metric('api_key_stale_age_seconds')).toBeGreaterThan(0)
  expect(lines.filter(({ msg }) => msg.startsWith('no database answers'))).toHaveLength(1)
})

test.each(['revoked', 'unseen'] as const)('a key that is %s is answered with 503', async (name) => {
  expect(await apis.long.check(name)).toEqual({ status: 503, stale: undefined })
})

test('an origin that is not allowed is answered with 503', async () => {
  expect(await apis.long.check('bound', 'https://other.example.com')).toEqual({ status: 503, stale: undefined })
})

test('a key is answered with 503 from its end on, by the clock of the database', async () => {
  for (const name of ENDING) {
    await expect.poll(async () => await apis.long.statusOf(name), { interval: 50 }).toBe(503)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(keys[name].expires_at ?? ''))
  }
})

test('after the limit no key is accepted', async () => {
  const { check, readiness } = apis.short
  const answer = async () => {
    const { status, stale = 0 } = await check('good')
    expect(Number(stale)).toBeLessThanOrEqual(SHORT)
    return status
  }
  await expect.poll(answer, { interval: 50 }).toBe(503)
  expect(await readiness()).toEqual({ status: 'unavailable' })
})

test('the snapshot has no secret and only its owner may read it', () => {
  const text = readFileSync(snapshot, 'utf8')
  expect(text).toContain(keys.good.key_hash.toString('hex'))
  expect(text).not.toContain(keys.good.api_key)
  expect(statSync(snapshot).mode & 0o777).toBe(0o600)
})

test('without a usable snapshot a restart in the outage ends as before, and says why', async () => {
  const file = path.join(folder, 'changed')
  writeFileSync(file, readFileSync(snapshot, 'utf8').replace(tenant_id, crypto.randomUUID()))
  const { code, stderr } = await startWithSnapshot({ SERVE_STALE_SNAPSHOT: file }).ended
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATABASE_URL: .+ Is PostgreSQL running there\?\n$/)])
})

test('a process restarted in the outage accepts the keys of its snapshot, until the database is back', async () => {
  started = startWithSnapshot()
  const address = await started.ready()
  expect(await (await fetch(`${address}/readyz`)).json()).toEqual({ status: 'stale' })
  expect(await askAt(address, 'good')).toEqual({ status: 200, isStale: true })
  expect(await askAt(address, 'unseen')).toEqual({ status: 503, isStale: false })

  // A read-only database, and a database that breaks down again, cannot be used for a start.
  await postgres.start()
  const output = started.output
  await expect.poll(output).toContain('is read-only')
  await postgres.kill('SIGKILL')
  expect(await askAt(address, 'good')).toEqual({ status: 200, isStale: true })

  await postgres.start()
  const fresh = connect(postgres.url, { onLost: () => {} })
  await sql`alter system reset default_transaction_read_only`.execute(fresh)
  await sql`select pg_reload_conf()`.execute(fresh)
  // New sessions have the new setting.
  await fresh.destroy()
  const changing = connect(postgres.url, { onLost: () => {} })
  await sql`update api_keys set is_active = false, revoked_at = now() where id = ${keys.victim.id}`.execute(changing)
  await changing.destroy()
  // The servers look for the database four times a second.
  await expect.poll(() => askAt(address, 'good'), { interval: 20 }).toEqual({ status: 200, isStale: false })
  expect(await askAt(address, 'unseen')).toEqual({ status: 200, isStale: false })
  expect(await askAt(address, 'victim')).toEqual({ status: 401, isStale: false })
  started.child.kill('SIGTERM')
  expect((await started.ended).code).toBe(0)
})

test('once the database is back, its rows count, and the use in the outage is written', async () => {
  const { check, statusOf, lines, metric } = apis.long
  await expect.poll(() => statusOf('victim'), { interval: 20 }).toBe(401)
  expect(await check('good')).toEqual({ status: 200, stale: undefined })
  const ended = lines.filter(({ accepted }) => accepted !== undefined)
  expect(ended).toHaveLength(1)
  expect(ended[0]?.accepted).toBe(await metric('api_key_stale_checks_total'))
  expect(await metric('api_key_stale_age_seconds')).toBe(0)
  await expect.poll(() => metric('api_key_checks_unwritten')).toBe(0)
})

/** Starts an ai-api with a database, checks keys until they are cached, and stops it after `before`. */
async function runWithSnapshot(names: readonly Name[], before = async () => {}): Promise<void> {
  const server = startWithSnapshot()
  const address = await server.ready()
  const hits = async () => {
    for (const name of names) await askAt(address, name)
    const [, opsAddress = ''] = /documentation: ([^\s"]+)/.exec(server.output()) ?? []
    const text = await (await fetch(`${opsAddress}/metrics`)).text()
    return Number(/^api_key_cache_reads_total\{result="hit"\} (\d+)/m.exec(text)?.[1])
  }
  await expect.poll(hits, { interval: 20 }).toBeGreaterThanOrEqual(2 * names.length)
  await before()
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
}
const isInSnapshot = (name: Name) => readFileSync(snapshot, 'utf8').includes(keys[name].key_hash.toString('hex'))

test('a process that has just started leaves a recent snapshot, but never a key that it knows as changed', async () => {
  rmSync(snapshot)
  await runWithSnapshot(['good', 'bound', 'unseen'])
  expect((['good', 'bound', 'unseen'] as const).map(isInSnapshot)).toEqual([true, true, true])
  await runWithSnapshot(['good'])
  expect([isInSnapshot('good'), isInSnapshot('bound')]).toEqual([true, true])

  const fresh = connect(postgres.url)
  await runWithSnapshot(['good'], async () => {
    await sql`update api_keys set is_active = false where id = ${keys.bound.id}`.execute(fresh)
    await sleep(SETTLE_MS)
  })
  await fresh.destroy()
  expect([isInSnapshot('good'), isInSnapshot('bound')]).toEqual([true, false])
})
