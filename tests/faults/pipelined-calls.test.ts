import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { healthz } from '@switchboard/contract/wire/health'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/proxies.ts'
import { dataFolder, startProcess } from '#tests/server-process.ts'

const CONNECTIONS = 20
const PIPELINED = 60
const PROBES = 20
/** A probe waits for this time before the next one. */
const PROBE_EVERY_MS = 100
/** About ten times what an idle machine needs. */
const ANSWERED_WITHIN_MS = 15_000

const DATA_DIR = dataFolder()
const [PORT, AI_PORT, OPS_PORT, AI_OPS_PORT, WORKER_OPS_PORT] = await Promise.all([
  freePort(),
  freePort(),
  freePort(),
  freePort(),
  freePort(),
])
const ports = { PORT, AI_PORT, OPS_PORT, AI_OPS_PORT, WORKER_OPS_PORT }
const server = startProcess({
  DATA_DIR,
  ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
})
beforeAll(async () => {
  await server.ready()
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  rmSync(DATA_DIR, { recursive: true, force: true })
})

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const body = JSON.stringify({ api_key: `sb_live_${'a'.repeat(36)}` })
const check = `POST ${verifyKey.url} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const ATTACKS: [string, number, string][] = [
  ['the API reference', PORT, get('/docs/admin-api.html')],
  ['the metrics of ai-api', AI_OPS_PORT, get('/metrics')],
  ['the metrics of admin-api', OPS_PORT, get('/metrics')],
  ['the metrics of the worker', WORKER_OPS_PORT, get('/metrics')],
  ['the sign-in page', PORT, get('/login')],
  ['the health of ai-api', AI_PORT, get('/healthz')],
  ['key checks', AI_PORT, check],
]

test.for(ATTACKS)('1,200 pipelined calls for %s, not read, stop no server', async ([, port, call]) => {
  const sockets = Array.from({ length: CONNECTIONS }, () => unread(port, call.repeat(PIPELINED)))
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  const times: number[] = []
  for (let n = 0; n < PROBES; n += 1) {
    times.push(...(await Promise.all([probeMs(PORT), probeMs(AI_PORT)])))
    await sleep(PROBE_EVERY_MS)
    // Waits until the work for closed connections has ended.
    if (n === PROBES / 2) sockets.forEach((socket) => socket.destroy())
  }
  expect(Math.max(...times)).toBeLessThan(ANSWERED_WITHIN_MS)
})

/** A connection that sends `calls` and reads no answer. */
function unread(port: number, calls: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(calls))
  return socket.pause().on('error', () => undefined)
}

/** Time until `/healthz` answers, in milliseconds. */
async function probeMs(port: number): Promise<number> {
  const startedAt = performance.now()
  return await new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: healthz.url, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(performance.now() - startedAt))
    })
      .on('error', reject)
      .end()
  })
}
