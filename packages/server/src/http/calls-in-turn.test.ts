import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { connect } from '@switchboard/database/connection/connect'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from './app.ts'
import { createLogger } from '#src/process/log.ts'

const db = connect('postgres://nobody@127.0.0.1:1/nothing')
const app = await createApp({ title: 'Test', db, log: createLogger('silent'), trustProxy: false })
let begun: { n: string; end: () => void }[] = []
app.post<{ Params: { n: string }; Body: unknown }>('/held/:n', async ({ params: { n }, body }) => {
  await new Promise<void>((resolve) => begun.push({ n, end: resolve }))
  return { n, body }
})
const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
afterAll(async () => {
  await app.close()
  await db.destroy()
})

const call = (n: number, body = `[${n}]`) =>
  `POST /held/${n} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const calls = (count: number) => Array.from({ length: count }, (_, n) => call(n)).join('')

/** Sends `text` over a new connection, and collects what comes back. */
function send(text: string): { socket: Socket; received: () => string; closed: Promise<unknown> } {
  begun = []
  let received = ''
  const socket = connectSocket(Number(port), '127.0.0.1', () => socket.write(text))
  socket.on('data', (chunk) => (received += String(chunk))).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return { socket, received: () => received, closed: once(socket, 'close') }
}
const begunCalls = () => begun.map(({ n }) => n)

describe('pipelined calls', () => {
  test('run one after another, each with its body, and are answered in order', async () => {
    const { received } = send(calls(3))
    for (const n of [0, 1, 2]) {
      await expect.poll(() => begun.length).toBe(n + 1)
      begun[n]?.end()
    }
    await expect
      .poll(() => received().match(/\{.*?\}/g))
      .toEqual(['{"n":"0","body":[0]}', '{"n":"1","body":[1]}', '{"n":"2","body":[2]}'])
  })

  test('do not start after the connection is closed', async () => {
    const { socket } = send(calls(3))
    await expect.poll(begunCalls).toEqual(['0'])
    socket.destroy()
    await expect.poll(async () => await connections()).toBe(0)
    begun[0]?.end()
    await app.inject('/healthz')
    expect(begunCalls()).toEqual(['0'])
  })

  test('of two connections run concurrently', async () => {
    const one = send(calls(2))
    await expect.poll(begunCalls).toEqual(['0'])
    const held = begun[0]
    const other = send(calls(2))
    await expect.poll(begunCalls).toEqual(['0'])
    held?.end()
    begun[0]?.end()
    await expect.poll(() => [one, other].every(({ received }) => received().includes('"n":"0"'))).toBe(true)
  })

  test('close the connection if there are more than a hundred', async () => {
    const { closed } = send(calls(102))
    await closed
    expect(begunCalls().length).toBeLessThanOrEqual(1)
  })
})

test('the last call of a connection is answered with Connection: close', async () => {
  app.server.maxRequestsPerSocket = 2
  onTestFinished(() => void (app.server.maxRequestsPerSocket = 10_000))
  const { socket, received } = send(call(0))
  for (const n of [0, 1]) {
    await expect.poll(() => begun.length).toBe(n + 1)
    begun[n]?.end()
    await expect.poll(() => received().match(/\{.*?\}/g)?.length).toBe(n + 1)
    if (n === 0) socket.write(call(1))
  }
  expect(received().match(/^connection: .*$/gim)).toEqual(['Connection: keep-alive', 'Connection: close'])
})

async function connections(): Promise<number> {
  return await new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))
}
