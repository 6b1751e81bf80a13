import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { createLogger } from '#src/process/log.ts'
import { disconnectOnlyWhenStalled } from './slow-clients.ts'

/** Long enough for a pause of a busy machine. */
const ANSWER_MS = 3_000
/** More than a Unix socket buffers. */
const LARGE = 'x'.repeat(1_000_000)

const logLines: string[] = []
const db = connect('postgres://nobody@127.0.0.1:1/nothing')
const app = await createApp({
  title: 'Test',
  db,
  log: createLogger('info', { write: (line) => void logLines.push(line) }),
  trustProxy: false,
  answerMs: ANSWER_MS,
})
app.get('/large', async () => ({ text: LARGE }))
app.get('/slow-handler', async () => {
  await sleep(1.5 * ANSWER_MS)
  return {}
})
app.get('/list', (_request, reply) => {
  disconnectOnlyWhenStalled(reply, ANSWER_MS)
  return reply.send(Readable.from(Array.from({ length: 40 }, () => LARGE.slice(0, 50_000))))
})
const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-slow-'))
// A Unix socket buffers 200 kB, where a connection over the loopback interface takes several MB.
const socketPath = path.join(folder, 'socket')
await app.listen({ path: socketPath })
afterAll(async () => {
  await app.close()
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const opened = (head: string, { allowHalfOpen = false } = {}): Socket => {
  const socket = connectSocket({ path: socketPath, allowHalfOpen })
  socket.on('error', () => undefined)
  socket.write(head)
  return socket
}
const get = (url: string) => opened(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`)
const connections = async () =>
  await new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

test('fifty clients that never read are disconnected, and logged as 499', async () => {
  const sockets = Array.from({ length: 50 }, () => get('/large').pause())
  const cut = () => logLines.filter((line) => line.includes('"route":"/large"') && line.includes('"status":499')).length
  await expect.poll(cut).toBe(50)
  await expect.poll(connections).toBe(0)
  expect(logLines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  for (const socket of sockets) socket.destroy()
})

test('a client that keeps a refused connection half open is disconnected', async () => {
  const socket = opened('no HTTP\r\n\r\n', { allowHalfOpen: true }).resume()
  await once(socket, 'end')
  await expect.poll(connections).toBe(0)
  socket.destroy()
})

test('a client that reads slowly but steadily gets the whole stream', async () => {
  const socket = get('/list')
  let received = 0
  const started = performance.now()
  for await (const chunk of socket) {
    received += chunk.length
    if (String(chunk.subarray(-5)) === '0\r\n\r\n') break
    // About 30 chunks.
    await sleep(250)
  }
  expect(received).toBeGreaterThan(2_000_000)
  expect(performance.now() - started).toBeGreaterThan(2 * ANSWER_MS)
})

test('a client that stops reading a stream is disconnected', async () => {
  const socket = get('/list')
  await once(socket, 'readable')
  await expect.poll(connections).toBe(0)
  socket.destroy()
})

test('a slow handler is not disconnected', async () => {
  const status = await new Promise((resolve) => {
    httpRequest({ socketPath, path: '/slow-handler' }, (answer) => resolve(answer.resume().statusCode)).end()
  })
  expect(status).toBe(200)
})
