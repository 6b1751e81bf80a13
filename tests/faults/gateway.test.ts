import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { makeApiKey, makeTenant } from '@switchboard/database/factories'
import { createTestDatabase } from '@switchboard/database/test-database'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { freePort, isInstalled, portOf, startProxy } from '#tests/proxies.ts'

describe.skipIf(!isInstalled('nginx'))('nginx as docs/gateway.md configures it', () => {
  const ends: (() => unknown)[] = []
  let seen: IncomingHttpHeaders = {}
  let [gateway, tenantId] = [0, '']
  let key = { id: '', api_key: '' }
  let stopAiApi = () => {}

  beforeAll(async () => {
    const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
    const aiApi = await buildAiApi(testDeps({ db, directUrl: databaseUrl }))
    const { port } = new URL(await aiApi.listen({ port: 0, host: '127.0.0.1' }))
    stopAiApi = () => {
      aiApi.server.closeAllConnections()
      aiApi.server.close()
    }
    const behind = createServer((request, response) => {
      seen = request.headers
      response.end('behind')
    }).listen(0, '127.0.0.1')
    await once(behind, 'listening')
    gateway = await freePort()
    const stopNginx = startProxy('nginx', 'gateway.md', {
      3001: Number(port),
      8080: portOf(behind.address()),
      80: gateway,
    })
    ends.push(async () => {
      await stopNginx()
      behind.close()
      await aiApi.close()
      await drop()
    })
    tenantId = (await makeTenant(db)).id
    key = await makeApiKey(db, { tenant_id: tenantId, allowed_origins: [origin] })
    await vi.waitFor(async () => expect(await call({})).toBe(401), { timeout: 5_000 })
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  const origin = 'https://shop.example.com'
  const call = async (headers: Record<string, string>) => {
    const answer = await fetch(`http://127.0.0.1:${gateway}/chat`, { headers })
    await answer.arrayBuffer()
    return answer.status
  }

  test('a good key is let through under either header, and who is behind learns whose it is, never the key', async () => {
    for (const headers of [
      { 'x-api-key': key.api_key, authorization: 'Bearer of-a-user' },
      { authorization: `Bearer ${key.api_key}` },
    ]) {
      expect(await call({ ...headers, origin, 'x-tenant-id': 'another' })).toBe(200)
      expect(seen).toMatchObject({ 'x-tenant-id': tenantId, 'x-api-key-id': key.id })
      expect(JSON.stringify(seen)).not.toContain(key.api_key)
    }
  })

  test('a refusal is handed on', async () => {
    expect(await call({ 'x-api-key': `${key.api_key.slice(0, -1)}!`, origin })).toBe(401)
    expect(await call({ 'x-api-key': key.api_key, origin: 'https://else.example.com' })).toBe(403)
  })

  test('without ai-api nothing is let through', async () => {
    stopAiApi()
    expect(await call({ 'x-api-key': key.api_key, origin })).toBe(500)
  })
})
