import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { STALE_HEADER } from '@switchboard/contract/api-keys/key-verification'
import { connect } from '@switchboard/database/connection/connect'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'

// tests/faults/stale-keys.test.ts kills PostgreSQL. Here a network between ai-api and PostgreSQL hangs or refuses.

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)
const { id: tenant_id } = await makeTenant(db)

/** A network to the test database that delivers, holds everything back, or refuses. */
async function startNetwork() {
  let state: 'delivers' | 'hangs' | 'refuses' = 'delivers'
  const sockets = new Set<Socket>()
  const target = new URL(url)
  const folder = target.searchParams.get('host')
  const port = Number(target.port === '' ? 5432 : target.port)
  const server = createServer((client) => {
    if (state === 'refuses') return client.destroy()
    const upstream =
      folder === null ? connectSocket(port, target.hostname) : connectSocket(`${folder}/.s.PGSQL.${port}`)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('data', (data) => other.write(data))
      one.on('error', () => undefined)
      one.on('close', () => sockets.delete(one) && other.destroy())
      if (state === 'hangs') one.pause()
    }
    return undefined
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const through = new URL(url)
  through.searchParams.delete('host')
  through.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url: through.toString(),
    set: (next: typeof state) => {
      state = next
      for (const socket of sockets)
        if (next === 'refuses') socket.destroy()
        else socket[next === 'hangs' ? 'pause' : 'resume']()
    },
    stop: () => server.close(),
  }
}

const HITS = 'api_key_cache_reads_total{result="hit"}'

/** An ai-api with a network for its pool and one for its listening connection. */
async function startAiApi() {
  const [pool, listener] = [await startNetwork(), await startNetwork()]
  const pooled = connect(pool.url, { onLost: () => {} })
  const staleKeys = { seconds: 600, snapshotFile: null, snapshot: null }
  const app = await buildAiApi(testDeps({ db: pooled, directUrl: listener.url, staleKeys }))
  const figure = async (name: string) => Number((await app.metrics.metrics()).split(`\n${name} `)[1]?.split('\n')[0])
  const check = async (api_key: string) => {
    const answer = await app.inject({ method: 'POST', url: '/v1/keys/verify', payload: { api_key } })
    return { status: answer.statusCode, isStale: STALE_HEADER in answer.headers }
  }
  const hitsOf = async (api_key: string) => {
    const before = await figure(HITS)
    expect(await check(api_key)).toEqual(fresh(200))
    return (await figure(HITS)) - before
  }
  return {
    pool,
    listener,
    check,
    isTrusted: async () => (await figure('api_key_cache_trusted')) === 1,
    readiness: async () => (await app.inject('/readyz')).json(),
    /** A key in the cache. */
    cachedKey: async () => {
      const key = await makeApiKey(db, { tenant_id })
      await expect.poll(() => hitsOf(key.api_key), { interval: 20 }).toBe(1)
      return key
    },
    async [Symbol.asyncDispose]() {
      for (const network of [pool, listener]) network.set('delivers')
      await app.close()
      await pooled.destroy()
      for (const network of [pool, listener]) network.stop()
    },
  }
}

const fresh = (status: number) => ({ status, isStale: false })
const STALE = { status: 200, isStale: true }
const disable = async (id: string) =>
  await db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute()

test('a database that hangs counts as away, and its rows count as soon as it answers', async () => {
  await using ai = await startAiApi()
  const [good, disabled] = [await ai.cachedKey(), await ai.cachedKey()]
  for (const network of [ai.pool, ai.listener]) network.set('hangs')
  await expect.poll(ai.isTrusted, { interval: 20 }).toBe(false)
  expect(await ai.check(good.api_key)).toEqual(STALE)
  expect(await ai.readiness()).toEqual({ status: 'stale' })
  await disable(disabled.id)
  expect(await ai.check(disabled.api_key)).toEqual(STALE)
  for (const network of [ai.pool, ai.listener]) network.set('delivers')
  await expect.poll(() => ai.check(disabled.api_key), { interval: 20 }).toEqual(fresh(401))
  expect(await ai.check(good.api_key)).toEqual(fresh(200))
  expect(await ai.readiness()).toMatchObject({ status: 'ok' })
})

test('if only the listening connection is lost, checks read the rows in the database', async () => {
  await using ai = await startAiApi()
  const { api_key, id } = await ai.cachedKey()
  ai.listener.set('refuses')
  await expect.poll(ai.isTrusted, { interval: 20 }).toBe(false)
  expect(await ai.check(api_key)).toEqual(fresh(200))
  await disable(id)
  expect(await ai.check(api_key)).toEqual(fresh(401))
})

test('a key that was seen disabled after the last heartbeat is not accepted later', async () => {
  await using ai = await startAiApi()
  const [good, disabled] = [await ai.cachedKey(), await ai.cachedKey()]
  ai.listener.set('refuses')
  await expect.poll(ai.isTrusted, { interval: 20 }).toBe(false)
  await disable(disabled.id)
  expect(await ai.check(disabled.api_key)).toEqual(fresh(401))
  ai.pool.set('refuses')
  expect(await ai.check(good.api_key)).toEqual(STALE)
  expect(await ai.check(disabled.api_key)).toEqual(fresh(503))
})

test('a database that answers with an error is not away', async () => {
  await using ai = await startAiApi()
  const { api_key } = await ai.cachedKey()
  ai.listener.set('refuses')
  await expect.poll(ai.isTrusted, { interval: 20 }).toBe(false)
  await sql`alter table api_keys rename to unreadable_keys`.execute(db)
  expect(await ai.check(api_key)).toEqual(fresh(500))
  await sql`alter table unreadable_keys rename to api_keys`.execute(db)
  expect(await ai.check(api_key)).toEqual(fresh(200))
})
