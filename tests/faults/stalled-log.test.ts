import { once } from 'node:events'
import { connect } from 'node:net'
import { healthz } from '@switchboard/contract/wire/health'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { startAiApi } from '#tests/server-process.ts'

const database = await createTestDatabase(inject('postgresUrl'))
afterAll(() => database.drop())

/** A connection with more calls in advance would be closed. */
const CALLS = 80
const CONNECTIONS = 125

test('a stalled log reader costs lines, but no request, and the process can end', async () => {
  const { child, ready, output, ended } = startAiApi({
    databaseUrl: database.url,
    settings: { LOG_LEVEL: 'info', DRAIN_SECONDS: '0' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const address = await ready()
  const { port } = new URL(address)

  child.stdout?.pause()
  // About 2 MB of log lines, more than the pipe and the process can buffer.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sendUnknown(Number(port), CALLS)))
  expect((await fetch(`${address}${healthz.url}`)).status).toBe(200)
  child.stdout?.resume()
  await expect.poll(output).toMatch(/"dropped":\d+.*their reader stalled/)

  child.stdout?.pause()
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sendUnknown(Number(port), CALLS)))
  const stoppedAt = performance.now()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  expect(performance.now() - stoppedAt).toBeLessThan(10_000)
  child.stdout?.resume()
  await ended
})

/** Sends requests over one connection without waiting for answers in between, and reads all answers. */
async function sendUnknown(port: number, count: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const one = 'GET /unknown HTTP/1.1\r\nHost: 127.0.0.1\r\n'
  socket.write(`${one}\r\n`.repeat(count - 1) + `${one}Connection: close\r\n\r\n`)
  await once(socket.resume(), 'close')
}
