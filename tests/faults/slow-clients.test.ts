import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '@switchboard/contract/auth'
import { me } from '@switchboard/contract/auth/session'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'

const CLIENTS = 500
/** The limits are 10 s for headers, 15 s for a request and 15 s for an answer. */
const CLOSED_WITHIN_MS = 22_000

const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-slow-'))
// More than a Unix socket buffers: a client that does not read keeps the server waiting.
writeFileSync(path.join(folder, 'index.html'), '<p>Switchboard</p>'.repeat(16_000))
const api = await startTestApi({ consoleFolder: folder })
const { token } = await api.signIn()
const socketPath = path.join(folder, 'socket')
await api.app.listen({ path: socketPath, backlog: 2_000 })
afterAll(() => rmSync(folder, { recursive: true }))

type SlowClient = { first: string; everySecond: (socket: Socket) => void }
const KINDS: Record<string, SlowClient> = {
  'send headers line by line': {
    first: 'GET / HTTP/1.1\r\nHost: x\r\n',
    everySecond: (socket) => socket.resume().write('X-Slow: 1\r\n'),
  },
  'send a body byte by byte': {
    first: `POST ${login.url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4096\r\n\r\n{`,
    everySecond: (socket) => socket.resume().write(' '),
  },
  'read an answer byte by byte': {
    first: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    everySecond: (socket) => socket.read(5),
  },
}

test('500 slow clients of each kind are disconnected, and all other requests are answered meanwhile', async () => {
  // Measured by the server: a client detects the end of its connection only after reading all earlier data.
  const lifetimes: number[] = []
  let accepted = 0
  api.app.server.on('connection', (socket) => {
    accepted += 1
    const acceptedAt = performance.now()
    socket.once('close', () => lifetimes.push(performance.now() - acceptedAt))
  })
  const stopped = new AbortController()
  const others = otherRequests(stopped.signal)
  const clients = (await Promise.all(Object.values(KINDS).map(attack))).flat()
  onTestFinished(() => clients.forEach((socket) => socket.destroy()))
  const areAllClosed = () => accepted > clients.length && accepted - lifetimes.length <= 1
  await expect.poll(areAllClosed, { timeout: 60_000, interval: 250 }).toBe(true)
  stopped.abort()
  const statuses = await others
  expect(Math.max(...lifetimes)).toBeLessThan(CLOSED_WITHIN_MS)
  expect(statuses.length).toBeGreaterThan(20)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
})

/** Opens 200 connections per second. Each repeats its slow action every second until closed. */
async function attack({ first, everySecond }: SlowClient): Promise<Socket[]> {
  return await Promise.all(
    Array.from({ length: CLIENTS }, async (_, n) => {
      await sleep(n * 5)
      const socket = connect(socketPath, () => socket.write(first))
      const slowly = setInterval(() => everySecond(socket), 1_000)
      return socket.on('error', () => undefined).once('close', () => clearInterval(slowly))
    }),
  )
}

/** Statuses of requests with a database query, in sequence until the end. */
async function otherRequests(stopped: AbortSignal): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = []
  while (!stopped.aborted) {
    statuses.push(await statusOfMe())
    await sleep(100)
  }
  return statuses
}

async function statusOfMe(): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}` }
  return await new Promise((resolve, reject) => {
    request({ socketPath, path: me.url, headers, agent: false }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })
}
