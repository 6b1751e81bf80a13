import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { freePort, isInstalled, portOf, type Proxy, startProxy } from '#tests/proxies.ts'

/** In these tests ai-api closes a connection after this many calls, so that the gateways often meet a closed one. */
const CALLS_MAX = 7

/** Makes 300 calls, eight at a time, and returns the set of their statuses. */
async function statusesOf(call: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses = new Set<number>()
  let left = 300
  const caller = async () => {
    for (; left > 0; left -= 1) statuses.add((await call()).status)
  }
  await Promise.all(Array.from({ length: 8 }, caller))
  return [...statuses]
}

const gateways: { proxy: Proxy; withoutAiApi: number }[] = [
  { proxy: 'nginx', withoutAiApi: 500 },
  { proxy: 'caddy', withoutAiApi: 502 },
]
for (const { proxy, withoutAiApi } of gateways)
  describe.skipIf(!isInstalled(proxy))(`${proxy} as docs/gateway.md configures it`, () => {
    const ends: (() => unknown)[] = []
    let forwarded: { method: string | undefined; headers: IncomingHttpHeaders; length: number } | undefined
    let [gateway, tenantId] = [0, '']
    let key = { id: '', api_key: '' }
    let stopAiApi = () => {}

    beforeAll(async () => {
      const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
      const aiApi = await buildAiApi(testDeps({ db, directUrl: databaseUrl }))
      aiApi.server.maxRequestsPerSocket = CALLS_MAX
      const { port } = new URL(await aiApi.listen({ port: 0, host: '127.0.0.1' }))
      stopAiApi = () => {
        aiApi.server.closeAllConnections()
        aiApi.server.close()
      }
      const upstream = createServer({ maxHeaderSize: 100_000 }, (request, response) => {
        let length = 0
        request.on('data', (chunk: Buffer) => (length += chunk.length))
        request.on('end', () => {
          forwarded = { method: request.method, headers: request.headers, length }
          response.end('upstream')
        })
      }).listen(0, '127.0.0.1')
      await once(upstream, 'listening')
      gateway = await freePort()
      const stopProxy = startProxy(proxy, 'gateway.md', {
        3001: Number(port),
        8080: portOf(upstream.address()),
        80: gateway,
      })
      ends.push(async () => {
        await stopProxy()
        upstream.close()
        await aiApi.close()
        await drop()
      })
      tenantId = (await makeTenant(db)).id
      key = await makeApiKey(db, { tenant_id: tenantId, allowed_origins: [origin] })
      await vi.waitFor(async () => expect((await call({})).status).toBe(401), { timeout: 60_000 })
    })
    afterAll(async () => {
      for (const end of ends) await end()
    })

    const origin = 'https://shop.example.com'
    const call = async (headers: Record<string, string>, init: RequestInit = {}) => {
      const answer = await fetch(`http://127.0.0.1:${gateway}/chat?lang=de`, { ...init, headers })
      await answer.arrayBuffer()
      return answer
    }

    test('a valid key is forwarded from either header, and the upstream receives its tenant, never the key', async () => {
      for (const headers of [
        { 'x-api-key': key.api_key, authorization: 'Bearer of-a-user' },
        { authorization: `Bearer ${key.api_key}` },
      ]) {
        const forged = {
          'x-tenant-id': 'another',
          'x-key-environment': 'test',
          'x-api-key-grace-ends': '2030-01-01T00:00:00.000Z',
        }
        expect((await call({ ...headers, ...forged, origin })).status).toBe(200)
        expect(forwarded?.headers).toMatchObject({
          'x-tenant-id': tenantId,
          'x-api-key-id': key.id,
          'x-key-environment': 'live',
        })
        expect(Object.keys(forwarded?.headers ?? {}).filter((name) => /grace/.test(name))).toEqual([])
        expect(JSON.stringify(forwarded)).not.toContain(key.api_key)
      }
    })

    test.for(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s with a large body is forwarded completely', async (method) => {
      const body = 'x'.repeat(900_000)
      expect((await call({ 'x-api-key': key.api_key, origin }, { method, body })).status).toBe(200)
      expect(forwarded).toMatchObject({ method, length: body.length })
    })

    test('a refusal is passed on, and a page of another origin may read it', async () => {
      const bad = await call({ 'x-api-key': `${key.api_key.slice(0, -1)}!`, origin })
      const elsewhere = await call({ 'x-api-key': key.api_key, origin: 'https://else.example.com' })
      expect([bad.status, elsewhere.status]).toEqual([401, 403])
      expect(bad.headers.get('access-control-allow-origin')).toBe(origin)
      expect(elsewhere.headers.get('access-control-allow-origin')).toBe('https://else.example.com')
      expect(bad.headers.get('vary')).toContain('Origin')
    })

    test('a page may read the answer', async () => {
      const answer = await call({ 'x-api-key': key.api_key, origin })
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    })

    test('a preflight is answered without a key, and neither checked nor forwarded', async () => {
      forwarded = undefined
      const answer = await call(
        { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
        { method: 'OPTIONS' },
      )
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
      expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-api-key')
      expect(forwarded).toBeUndefined()
    })

    test.for([17, 31, 60])('a caller with %i kB of cookies is checked', async (size) => {
      const cookie = `session=${'x'.repeat(size * 1_000)}`
      expect((await call({ 'x-api-key': key.api_key, origin, cookie })).status).toBe(200)
      expect(forwarded?.headers.cookie).toBe(cookie)
    })

    test('no call is lost when ai-api closes connections after some calls', async () => {
      expect(await statusesOf(() => call({ 'x-api-key': key.api_key, origin }))).toEqual([200])
    })

    test('without ai-api nothing is forwarded', async () => {
      stopAiApi()
      forwarded = undefined
      expect((await call({ 'x-api-key': key.api_key, origin })).status).toBe(withoutAiApi)
      expect(forwarded).toBeUndefined()
    })
  })

test('no call is lost behind haproxy when ai-api closes connections after some calls', async ({ skip }) => {
  skip(!isInstalled('haproxy'), 'haproxy is not installed')
  const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
  const aiApi = await buildAiApi(testDeps({ db, directUrl: url }))
  aiApi.server.maxRequestsPerSocket = CALLS_MAX
  const { port } = new URL(await aiApi.listen({ port: 0, host: '127.0.0.1' }))
  const [frontend, consolePort] = await Promise.all([freePort(), freePort()])
  const stopProxy = startProxy('haproxy', 'operate/rolling-restarts.md', {
    8080: consolePort,
    8081: frontend,
    3000: Number(port),
    3010: Number(port),
    3001: Number(port),
    3011: Number(port),
  })
  onTestFinished(async () => {
    await stopProxy()
    await aiApi.close()
    await drop()
  })
  const { api_key } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
  const authorize = async () => {
    const answer = await fetch(`http://127.0.0.1:${frontend}/v1/keys/authorize`, { headers: { 'x-api-key': api_key } })
    await answer.arrayBuffer()
    return answer
  }
  await vi.waitFor(async () => expect((await authorize()).status).toBe(204), { timeout: 60_000 })
  expect(await statusesOf(authorize)).toEqual([204])
})
