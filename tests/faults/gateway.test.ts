import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer as createProbe } from 'node:net'
import path from 'node:path'
import { makeApiKey, makeTenant } from '@switchboard/database/factories'
import { createTestDatabase } from '@switchboard/database/test-database'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { dataFolder } from '#tests/server-process.ts'

// Debian's nginx lies where only root's path leads. Where there is none, nothing can be said of it.
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }
const isNginxThere = spawnSync('nginx', ['-v'], { env }).error === undefined

describe.skipIf(!isNginxThere)('nginx as docs/gateway.md configures it', () => {
  const ends: (() => unknown)[] = []
  let seen: IncomingHttpHeaders = {}
  let [gateway, tenantId] = [0, '']
  let key = { id: '', api_key: '' }
  let stopAiApi = () => {}

  beforeAll(async () => {
    const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
    const aiApi = await buildAiApi(testDeps({ db, databaseUrl }))
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
    const folder = dataFolder()
    const nginx = startNginx(folder, { 3001: port, 8080: String(portOf(behind.address())), 80: String(gateway) })
    ends.push(async () => {
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
      rmSync(folder, { recursive: true, force: true })
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

/** Runs the page's own configuration, with the ports of this test in the place of its own. */
function startNginx(folder: string, ports: Record<string, string>) {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/gateway.md'), 'utf8')
  const [, configuration = ''] = /```nginx\n(.*?)```/s.exec(page) ?? []
  const ours = configuration.replaceAll(/(listen |127\.0\.0\.1:)(\d+)/g, (_, before, port) => {
    const address = before === 'listen ' ? 'listen 127.0.0.1:' : before
    return `${address}${ports[port]}`
  })
  mkdirSync(path.join(folder, 'logs'))
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off; pid nginx.pid; error_log stderr; events {} http { access_log off; ${ours} }`,
  )
  return spawn('nginx', ['-p', folder, '-c', 'nginx.conf'], { env, stdio: 'ignore' })
}

async function freePort(): Promise<number> {
  const probe = createProbe().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = portOf(probe.address())
  probe.close()
  await once(probe, 'close')
  return port
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
