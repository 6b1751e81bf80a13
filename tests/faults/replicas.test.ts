import { setTimeout as sleep } from 'node:timers/promises'
import { verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { READ_AFTER_HEADER } from '@switchboard/contract/wire/lists'
import { connect } from '@switchboard/database/connection/connect'
import { createReplicas, STALE_MS } from '@switchboard/database/replicas/replicas'
import type { Database } from '@switchboard/database/tables'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { adminApiDeps, authorizationOf } from '#scripts/bench/admin-api-deps.ts'
import { checkReplicas } from '#scripts/doctor/replica-check.ts'
import { type InstalledPostgres, installedPostgres, startInstalledPostgres } from '#tests/installed-postgres.ts'
import { hasPgBouncer, startPgBouncer } from '#tests/pgbouncer.ts'
import { freePort } from '#tests/proxies.ts'
import { pauseReplay, untilReplayed } from './replay.ts'
import { startAiApi } from '#tests/server-process.ts'

// A primary with a replica by streaming replication: paused, late, killed, stopped and promoted.

/** A change holds everywhere after this time, and a failed replica is left and taken back. */
const EFFECTIVE_MS = 1_000
/** `REPLICA_TOGGLES=1000 npm test -- replicas` has a long round. */
const TOGGLES = Number(process.env['REPLICA_TOGGLES'] ?? 50)

const [bin = ''] = installedPostgres()

describe.skipIf(bin === '')('a replica', () => {
  let primary: InstalledPostgres
  let standby: InstalledPostgres
  let db: Kysely<Database>
  let standbyDb: Kysely<Database>
  beforeAll(async () => {
    primary = await startInstalledPostgres(bin)
    standby = await startInstalledPostgres(bin, primary.url)
    await migrateDatabase(primary.url)
    db = connect(primary.url)
    standbyDb = connect(standby.url, { onLost: () => {} })
  })
  afterAll(async () => {
    await Promise.all([db.destroy(), standbyDb.destroy()])
    await Promise.all([primary.stop(), standby.stop()])
  })

  const openReplicas = async (urls = [standby.url], { isPooled = false, primaryUrl = primary.url } = {}) => {
    const changes: string[] = []
    const onChange = (_place: string, reason: string | null) => void changes.push(reason ?? 'used')
    const replicas = createReplicas({ urls, primaryUrl, max: 10, isPooled, onChange })
    onTestFinished(() => replicas.stop())
    const isUsed = () => replicas.states().every((state) => state.isUsed && state.lagMs < STALE_MS)
    return { replicas, changes, isUsed }
  }
  const openAiApi = async (url = primary.url) => {
    const opened = await openReplicas([standby.url], { isPooled: url !== primary.url })
    const ownDb = connect(url, { isPooled: url !== primary.url })
    onTestFinished(() => ownDb.destroy())
    const app = await buildAiApi(testDeps({ db: ownDb, replicas: opened.replicas, directUrl: primary.url }))
    onTestFinished(() => app.close())
    const check = async (api_key: string) =>
      (await app.inject({ method: 'POST', url: verifyKey.url, payload: { api_key } })).statusCode
    const isTrusted = async () =>
      / 1$/m.test((await app.metrics.getSingleMetricAsString('api_key_cache_trusted')) ?? '')
    await expect.poll(async () => opened.isUsed() && (await isTrusted())).toBe(true)
    return { ...opened, app, check }
  }
  const newKeys = async (count: number) => {
    const { id: tenant_id } = await makeTenant(db)
    return await Promise.all(Array.from({ length: count }, () => makeApiKey(db, { tenant_id })))
  }
  const newKey = async () => {
    const [key] = await newKeys(1)
    if (key === undefined) throw new Error('There is no key.')
    return key
  }
  const disable = (id: string) => db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute()

  test('answers the misses of key checks, and the primary none of them', async () => {
    const keys = await newKeys(20)
    await untilReplayed(db, standbyDb)
    const { replicas, check, isUsed } = await openAiApi()
    await expect.poll(isUsed).toBe(true)
    const scans = async () => {
      const { rows } = await sql<{ scans: number }>`
        select idx_scan as scans from pg_stat_user_tables where relname = 'api_keys'`.execute(standbyDb)
      return rows[0]?.scans ?? 0
    }
    const before = await scans()
    for (const { api_key } of keys) expect(await check(api_key)).toBe(200)
    const { replica } = replicas.reads()
    // A stall of this machine may leave a few to the primary.
    expect(replica).toBeGreaterThan(10)
    // A server process adds its statistics when its connection ends.
    await replicas.stop()
    await expect.poll(scans, { interval: 20 }).toBeGreaterThanOrEqual(before + replica)
  })

  test('in place of the primary answers no check of a key', async () => {
    const { api_key } = await newKey()
    await untilReplayed(db, standbyDb)
    const ownDb = connect(standby.url)
    onTestFinished(() => ownDb.destroy())
    const app = await buildAiApi(testDeps({ db: ownDb, directUrl: primary.url }))
    onTestFinished(() => app.close())
    const { statusCode, body } = await app.inject({ method: 'POST', url: verifyKey.url, payload: { api_key } })
    expect([statusCode, body]).toEqual([503, expect.stringContaining('accepts no changes')])
  })

  test('that is paused lets a new key work at once, and no disabled key after a second', async () => {
    const { check, isUsed } = await openAiApi()
    const [cached, unknown] = [await newKey(), await newKey()]
    expect(await check(cached.api_key)).toBe(200)
    await untilReplayed(db, standbyDb)
    const resume = await pauseReplay(standbyDb)
    expect(await check((await newKey()).api_key)).toBe(200)
    await Promise.all([cached, unknown].map(({ id }) => disable(id)))
    const disabledAt = performance.now()
    let acceptedUntil = 0
    while (performance.now() - disabledAt < 1.5 * EFFECTIVE_MS) {
      for (const { api_key } of [cached, unknown])
        if ((await check(api_key)) === 200) acceptedUntil = performance.now() - disabledAt
      await sleep(5)
    }
    expect(acceptedUntil).toBeLessThan(EFFECTIVE_MS)
    expect(isUsed()).toBe(false)
    await resume()
    await expect.poll(isUsed, { interval: 20 }).toBe(true)
    expect(await check(unknown.api_key)).toBe(401)
  })

  test.skipIf(!hasPgBouncer)('that applies late never revives a disabled key, also through PgBouncer', async () => {
    const pooler = await startPgBouncer(primary.url)
    onTestFinished(() => pooler.stop())
    await sql`alter system set recovery_min_apply_delay = '50ms'`.execute(standbyDb)
    await sql`select pg_reload_conf()`.execute(standbyDb)
    onTestFinished(async () => {
      await sql`alter system reset recovery_min_apply_delay`.execute(standbyDb)
      await sql`select pg_reload_conf()`.execute(standbyDb)
    })
    const apis = [await openAiApi(), await openAiApi(pooler.url)]
    const { id, api_key } = await newKey()
    const others = await newKeys(TOGGLES)
    await untilReplayed(db, standbyDb)
    let latest = 0
    for (let n = 0; n < TOGGLES; n += 1) {
      await db.updateTable('api_keys').set({ is_active: true }).where('id', '=', id).execute()
      for (const { check } of apis) while ((await check(api_key)) !== 200) await sleep(1)
      await disable(id)
      const disabledAt = performance.now()
      for (const { check } of apis) {
        while (latest < EFFECTIVE_MS && (await check(api_key)) === 200) {
          latest = Math.max(latest, performance.now() - disabledAt)
          await sleep(1)
        }
        expect(await check(others[n]?.api_key ?? '')).toBe(200)
      }
    }
    console.info(`${TOGGLES} toggles: accepted at most ${latest.toFixed(1)} ms after the change`)
    expect(latest).toBeLessThan(EFFECTIVE_MS)
    // Each check of another key is a miss.
    for (const { replicas } of apis) expect(replicas.reads().replica).toBeGreaterThan(TOGGLES / 5)
  })

  test.each(['SIGKILL', 'SIGSTOP'] as const)('lost by %s costs no request, and is taken back', async (signal) => {
    const keys = await newKeys(200)
    await untilReplayed(db, standbyDb)
    const { check, isUsed, changes } = await openAiApi()
    const statuses: number[] = []
    const stopping = new AbortController()
    let [n, slowest] = [0, 0]
    const client = async () => {
      while (!stopping.signal.aborted) {
        n += 1
        const sentAt = performance.now()
        const key = keys[n]?.api_key ?? (await newKey()).api_key
        statuses.push(await check(key))
        slowest = Math.max(slowest, performance.now() - sentAt)
        await sleep(10)
      }
    }
    const clients = [client(), client()]
    const processes = standby.processes()
    const lostAt = performance.now()
    for (const pid of signal === 'SIGKILL' ? processes.slice(0, 1) : processes) process.kill(pid, signal)
    await expect.poll(() => changes.at(-1) !== 'used' && !isUsed(), { interval: 5 }).toBe(true)
    const left = performance.now() - lostAt
    if (signal === 'SIGKILL') await standby.start()
    else for (const pid of processes.toReversed()) process.kill(pid, 'SIGCONT')
    const answersAt = performance.now()
    await expect.poll(() => changes.at(-1) === 'used' && isUsed(), { interval: 5 }).toBe(true)
    const takenBack = performance.now() - answersAt
    stopping.abort()
    await Promise.all(clients)
    console.info(
      `${signal}: left after ${left.toFixed(0)} ms, taken back after ${takenBack.toFixed(0)} ms, slowest of ${statuses.length} checks ${slowest.toFixed(0)} ms`,
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(left).toBeLessThan(EFFECTIVE_MS)
  })

  test('shows an author each change in a list, at another admin-api', async () => {
    const deps = await adminApiDeps(db)
    const { replicas, isUsed } = await openReplicas()
    const [one, other] = [
      await buildAdminApi({ ...deps, replicas }),
      await buildAdminApi({ ...(await adminApiDeps(db)), replicas }),
    ]
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])))
    const authorization = await authorizationOf(deps)
    const { id } = await makeTenant(db)
    await untilReplayed(db, standbyDb)
    await expect.poll(isUsed).toBe(true)
    const list = async (headers: object) => {
      const url = `/api/v1/admin/tenants?limit=1&id=${id}`
      return (await other.inject({ method: 'GET', url, headers: { ...authorization, ...headers } })).json()[0]?.name
    }
    await list({})
    expect(replicas.reads().replica).toBeGreaterThan(0)
    const resume = await pauseReplay(standbyDb)
    for (let n = 0; n < 20; n += 1) {
      const name = `Harbor ${n}`
      const url = `/api/v1/admin/tenants/${id}`
      const changed = await one.inject({ method: 'PUT', url, headers: authorization, payload: { name } })
      expect(changed.statusCode).toBe(200)
      expect(await list({ [READ_AFTER_HEADER]: changed.headers[READ_AFTER_HEADER] })).toBe(name)
    }
    await resume()
    await expect.poll(() => list({})).toBe('Harbor 19')
  })

  test('of the settings is used, with an ordinary role', async () => {
    await sql`create role reader login in role pg_read_all_data`.execute(db)
    const address = new URL(standby.url)
    address.username = 'reader'
    const opsPort = await freePort()
    const server = startAiApi({
      databaseUrl: primary.url,
      settings: { DATABASE_READ_URLS: address.toString(), LOG_LEVEL: 'info', AI_OPS_PORT: `${opsPort}` },
    })
    const url = await server.ready()
    await expect.poll(() => server.output()).toContain('the replica is used')
    const { api_key } = await newKey()
    await untilReplayed(db, standbyDb)
    const metrics = async () => await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
    await expect
      .poll(async () => {
        const headers = { 'content-type': 'application/json' }
        await fetch(`${url}${verifyKey.url}`, { method: 'POST', headers, body: JSON.stringify({ api_key }) })
        return /^database_replica_reads_total\{result="replica"\} [1-9]/m.test(await metrics())
      })
      .toBe(true)
    expect(await metrics()).toMatch(/^database_replicas_used 1$/m)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    expect(await checkReplicas(db, [address.toString()])).toMatchObject({ state: 'ok' })
    expect(await checkReplicas(db, [address.toString(), primary.url])).toMatchObject({
      state: 'ok',
      text: expect.stringContaining('(1)'),
    })
    expect(await checkReplicas(db, [primary.url])).toMatchObject({
      text: expect.stringContaining('only leads to the primary'),
    })
  })

  test('that was promoted is left, and others are used when they follow it', async () => {
    const other = await startInstalledPostgres(bin, primary.url)
    onTestFinished(() => other.stop())
    const before = await openReplicas([standby.url, other.url])
    await expect.poll(before.isUsed).toBe(true)
    const otherDb = connect(other.url)
    onTestFinished(() => otherDb.destroy())
    await sql`alter system set wal_retrieve_retry_interval = '100ms'`.execute(otherDb)
    const followFrom = async (connection: string) => {
      await sql`alter system set primary_conninfo = ${sql.lit(connection)}`.execute(otherDb)
      await sql`select pg_reload_conf()`.execute(otherDb)
    }
    // A server with more of the log than the promoted server cannot follow.
    await followFrom('')
    await newKey()
    await expect.poll(() => before.changes.at(-1)).not.toBe('used')
    await sql`select pg_promote()`.execute(standbyDb)
    await expect.poll(() => before.changes).toContain('it is no standby')

    const after = await openReplicas([other.url, primary.url, standby.url], { primaryUrl: standby.url })
    const reasons = ['it follows another primary', 'it is no standby', 'it is the primary']
    await expect.poll(() => after.changes).toEqual(expect.arrayContaining(reasons))
    await followFrom(`user=switchboard host=${new URL(standby.url).searchParams.get('host')}`)
    await expect.poll(() => after.changes.at(-1)).toBe('used')
    expect(after.replicas.states()).toMatchObject([{ isUsed: true }, { isUsed: false }])
  })
})
