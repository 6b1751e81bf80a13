import { EventEmitter, once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { Writable } from 'node:stream'
import { connect } from '@switchboard/database/connection/connect'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { createApp } from './app.ts'
import { createLogger } from '#src/process/log.ts'

const database = await createTestDatabase(inject('postgresUrl'))
const logLines: string[] = []
const log = createLogger(
  'info',
  new Writable({ write: (chunk, _encoding, done) => (logLines.push(String(chunk)), done()) }),
)
const app = await createApp({ title: 'Test', db: database.db, log, trustProxy: false })
app.post('/echo', async (request) => ({ got: request.body }))
const slowBegun = new EventEmitter()
app.get('/slow', async ({ raw }) => {
  const left = once(raw.socket, 'close')
  slowBegun.emit('begun')
  await left
  return {}
})
app.get('/items/all', async () => ({}))
app.put('/items/:id', async () => ({}))
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
const port = typeof address === 'object' ? (address?.port ?? 0) : 0
afterAll(async () => {
  await app.close()
  await database.drop()
})

/** How often a slow client sends something, in milliseconds. */
const DRIP_MS = 200

/** Sends raw bytes over a new connection and returns everything that comes back until it is closed. */
async function sendRaw(first: string, drip?: () => string): Promise<string> {
  return await new Promise<string>((resolve) => {
    let answer = ''
    const socket = connectSocket(port, '127.0.0.1', () => socket.write(first))
    const dripping = drip && setInterval(() => socket.write(drip()), DRIP_MS)
    socket.on('data', (chunk) => (answer += String(chunk))).on('error', () => {})
    socket.on('close', () => {
      clearInterval(dripping)
      resolve(answer)
    })
  })
}

describe('requests that reach no route', () => {
  const unreadable: [string, string, number][] = [
    ['two lengths', 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd', 400],
    [
      'a length and chunks',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n', 400],
    ['huge headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(90_000)}\r\n\r\n`, 431],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n', 400],
    ['a Host with a path', 'GET /healthz HTTP/1.1\r\nHost: a b/../\r\nConnection: close\r\n\r\n', 400],
    ['an empty Host', 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400],
    ['an unknown expectation', 'POST /echo HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nContent-Length: 0\r\n\r\n', 417],
  ]
  test.for(unreadable)(
    '%s is answered in our shape, with headers, and the connection closed',
    async ([, raw, status]) => {
      const answer = await sendRaw(raw)
      expect(answer).toContain(`HTTP/1.1 ${status} `)
      expect(answer).toMatch(/\{"detail":"[^"]+","code":"\w+"\}/)
      expect(answer).toMatch(/content-security-policy: /i)
      expect(answer).toMatch(/cache-control: no-store/i)
      expect(answer).toMatch(/cross-origin-opener-policy: same-origin/i)
      expect(answer).toMatch(/permissions-policy: camera=\(\)/i)
    },
  )

  test('a client that sends its headers slowly is disconnected after ten seconds', async () => {
    let drops = 0
    const drip = () => {
      drops += 1
      return 'X-Drop: x\r\n'
    }
    expect(await sendRaw('GET / HTTP/1.1\r\nHost: x\r\n', drip)).toContain(' 408 ')
    // Counted, not timed: while the process pauses, neither side goes on.
    expect(drops).toBeLessThan(13_000 / DRIP_MS)
  })
})

test.for([
  ['PUT', '/items/all', 405, 'GET, HEAD'],
  ['GET', '/items/all', 200, undefined],
  ['PUT', '/items/5', 200, undefined],
  ['PROPFIND', '/items/all', 405, 'GET, HEAD'],
  ['TRACE', '/items/5', 405, 'PUT'],
  ['OPTIONS', '*', 405, 'GET, HEAD'],
  ['TRACE', '/nope', 404, undefined],
] as const)('%s %s answers %i and allows %s', async ([method, path, status, allow]) => {
  const answer = await sendRaw(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect(answer).toContain(`HTTP/1.1 ${status} `)
  expect(/^allow: (.*)$/im.exec(answer)?.[1]?.trim()).toBe(allow)
})

test('64 kB of cookies are accepted', async () => {
  const cookies = `Cookie: ${'x'.repeat(65_536)}\r\n`
  expect(await sendRaw(`PUT /items/5 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${cookies}\r\n`)).toContain(' 200 ')
})

describe('a connection that breaks during a transaction', () => {
  test('is an error of its request and does not end the process', async () => {
    const lost: string[] = []
    const own = connect(database.url, { max: 1, onLost: (error) => lost.push(error.message) })
    const broken = own.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await sql`select 1`.execute(trx)
    })
    await expect(broken).rejects.toThrow()
    await expect.poll(() => lost.length).toBeGreaterThan(0)
    expect((await sql<{ one: number }>`select 1 as one`.execute(own)).rows).toEqual([{ one: 1 }])
    await own.destroy()
  })
})

test('a client that disconnects during its body is not an error', async () => {
  logLines.length = 0
  const socket = connectSocket(port, '127.0.0.1', () =>
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{'),
  )
  await once(app.server, 'request')
  socket.destroy()
  await expect.poll(() => logLines.length).toBe(1)
  expect(JSON.parse(logLines[0] ?? '')).toMatchObject({ level: 'info', route: '/echo', status: 499 })
  expect(logLines[0]).not.toContain('stack')
})

test('a request cut by its client is logged and counted', async () => {
  logLines.length = 0
  const socket = connectSocket(port, '127.0.0.1', () => socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'))
  await once(slowBegun, 'begun')
  socket.destroy()
  await expect.poll(() => logLines.some((line) => line.includes('"status":499'))).toBe(true)
  expect(await app.metrics.metrics()).toContain('route="/slow",status="499"')
})
