import { setTimeout as sleep } from 'node:timers/promises'
import { streamEvents } from '@switchboard/contract/signals/stream'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { makeUser } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { makeToken } from '@switchboard/testing/token-factory'
import { afterAll, beforeAll, describe, inject, test, vi } from 'vitest'
import { HEARTBEAT_MS } from '#apps/admin-api/src/signals/stream/stream.service.ts'
import { freePort, isInstalled, type Proxy, startProxy } from '#tests/proxies.ts'
import { SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// The stream of live screens through the proxies as docs/operate/rolling-restarts.md configures them.

/** Limits of the proxies for quiet connections are shortened to this, which is longer than between two heartbeats. */
const LIMIT_SECONDS = 20
const SILENCE_MS = 25_000
/** A proxy that holds events back sends them with the next heartbeat at the earliest. */
const AT_ONCE_MS = HEARTBEAT_MS / 3

const withLimit: Record<Proxy, (text: string) => string> = {
  nginx: (text) =>
    text.replaceAll('proxy_http_version 1.1;', `proxy_http_version 1.1; proxy_read_timeout ${LIMIT_SECONDS}s;`),
  haproxy: (text) => text.replace('timeout server 30s', `timeout server ${LIMIT_SECONDS}s`),
  // Caddy has no such limit.
  caddy: (text) => text,
}

const { db, url: DATABASE_URL, drop } = await createTestDatabase(inject('postgresUrl'))
const adminApi = startProcess({ DATABASE_URL, WEBHOOK_SECRET: SHARED_SECRET }, 'apps/admin-api/src/main.ts')
let token = ''
let port = 0

beforeAll(async () => {
  port = Number(new URL(await adminApi.ready()).port)
  const { id: created_by_id } = await makeUser(db, { role: 'super_admin' })
  const expires_at = new Date(Date.now() + 3_600_000)
  token = (await makeToken(db, { created_by_id, scopes: ['read'], expires_at })).token
})
afterAll(async () => {
  adminApi.child.kill('SIGTERM')
  await adminApi.ended
  await drop()
})

describe.concurrent('a live screen', () => {
  test.for(['nginx', 'haproxy', 'caddy'] as const)(
    'gets events at once behind %s, and after a silence on the same connection',
    async (proxy, { expect, onTestFinished, skip }) => {
      skip(!isInstalled(proxy), `${proxy} is not installed`)
      const consolePort = await freePort()
      const ports = { 3000: port, 3010: port, 3001: port, 3011: port, 8080: consolePort, 8081: await freePort() }
      onTestFinished(startProxy(proxy, 'operate/rolling-restarts.md', ports, withLimit[proxy]))
      const address = `http://127.0.0.1:${consolePort}`
      await vi.waitFor(async () => expect((await fetch(`${address}/healthz`)).status).toBe(200), { timeout: 60_000 })
      const stopping = new AbortController()
      onTestFinished(() => stopping.abort())
      const answer = await fetch(`${address}${streamEvents.url}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'accept-encoding': 'gzip, br' },
        signal: stopping.signal,
      })
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null])
      const arrived = new Map<string, number>()
      let end = 'open'
      const reading = (async () => {
        for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? [])
          for (const [, name = ''] of text.matchAll(/"target_name":"([^"]+)"/g)) arrived.set(name, Date.now())
        end = 'ended'
      })()
      reading.catch(() => (end = 'broken'))

      const delayOf = async (name: string) => {
        await db
          .transaction()
          .execute((trx) =>
            writeAudits(trx, new Date(), WORKER, [
              { action: 'tenants.update', target: { type: 'tenant', id: null, name, tenant_id: null } },
            ]),
          )
        const written = Date.now()
        await vi.waitFor(() => expect([...arrived.keys()]).toContain(name), { timeout: 30_000, interval: 20 })
        return (arrived.get(name) ?? Infinity) - written
      }
      expect(await delayOf(`${proxy} at once`)).toBeLessThan(AT_ONCE_MS)
      await sleep(SILENCE_MS)
      expect(end).toBe('open')
      expect(await delayOf(`${proxy} after a silence`)).toBeLessThan(AT_ONCE_MS)
    },
  )
})
