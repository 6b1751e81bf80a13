import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { blockOf, freePort, isInstalled, portOf, startProxy } from '#tests/proxies.ts'

// nginx as docs/gateway.md configures it, with the cache of docs/gateway-cache.md.

const PAGE = 'gateway-cache.md'
/** The time on the page. */
const CACHED_MS = 10_000

/** Adds the cache of the page to the configuration of a gateway. */
function withCache(configuration: string): string {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs', PAGE), 'utf8')
  const directives = page.match(/^ {4}proxy_(cache|ignore).*;$/gm) ?? []
  expect(directives.length).toBeGreaterThan(3)
  const cache = directives.join('\n')
  expect(cache).toContain(`204 ${CACHED_MS / 1_000}s`)
  return `${blockOf(PAGE, 'nginx').replace('/run/nginx-keys', 'keys')}\n${configuration.replace('internal;', `internal;\n${cache}`)}`
}

test('nginx caches an accepted check for the configured seconds', async ({ skip }) => {
  skip(!isInstalled('nginx'), 'nginx is not installed')
  const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const aiApi = await buildAiApi(testDeps({ db, directUrl }))
  onTestFinished(() => aiApi.close())
  const { port } = new URL(await aiApi.listen({ port: 0, host: '127.0.0.1' }))
  const tenants: unknown[] = []
  const upstream = createServer((request, response) => {
    tenants.push(request.headers['x-tenant-id'])
    response.end('upstream')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void upstream.close())
  await once(upstream, 'listening')
  const gateway = await freePort()
  const ports = { 3001: Number(port), 8080: portOf(upstream.address()), 80: gateway }
  onTestFinished(startProxy('nginx', 'gateway.md', ports, withCache))

  const statusOf = async (key: string) => {
    const answer = await fetch(`http://127.0.0.1:${gateway}/chat`, { headers: { 'x-api-key': key } })
    await answer.arrayBuffer()
    return answer.status
  }
  const { id: tenant_id } = await makeTenant(db)
  const [used, unused] = [await makeApiKey(db, { tenant_id }), await makeApiKey(db, { tenant_id })]
  await vi.waitFor(async () => expect(await statusOf('none')).toBe(401), { timeout: 60_000 })

  expect(await statusOf(used.api_key)).toBe(200)
  aiApi.server.closeAllConnections()
  aiApi.server.close()
  expect([await statusOf(used.api_key), await statusOf(unused.api_key), await statusOf('none')]).toEqual([
    200, 500, 500,
  ])
  // nginx counts whole seconds.
  await sleep(CACHED_MS + 1_500)
  expect(await statusOf(used.api_key)).toBe(500)
  // The server behind learns the tenant from the cache too.
  expect(tenants).toEqual([tenant_id, tenant_id])
})
