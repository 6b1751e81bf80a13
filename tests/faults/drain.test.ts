import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { dataFolder, startProcess } from '#tests/server-process.ts'

const DATA_DIR = dataFolder()
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

/** Status and `Connection` header of a GET over a kept-alive connection. */
async function get(agent: Agent, url: string): Promise<[number | undefined, string | undefined]> {
  return await new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve([response.statusCode, response.headers.connection]))
    })
      .on('error', reject)
      .end()
  })
}

test('after SIGTERM /readyz answers 503 while requests are served, over connections that then close', async () => {
  const server = startProcess({ DATA_DIR, DRAIN_SECONDS: '6' })
  const address = await server.ready()
  const [, aiAddress = ''] = /AI API +([^\s"]+)/.exec(server.output()) ?? []
  const agents = [1, 2, 3].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  const [first = new Agent()] = agents
  for (const agent of agents) expect(await get(agent, `${address}/healthz`)).toEqual([200, 'keep-alive'])
  const stoppedAt = performance.now()
  server.child.kill('SIGTERM')
  for (const url of [address, aiAddress])
    await expect.poll(async () => await get(first, `${url}/readyz`), { interval: 20 }).toEqual([503, 'close'])
  // Over a kept connection, then over a new connection.
  for (const agent of agents.slice(1))
    for (let n = 0; n < 2; n += 1) expect(await get(agent, `${address}/healthz`)).toEqual([200, 'close'])
  expect(await get(first, `${aiAddress}/v1/keys/authorize`)).toEqual([401, 'close'])
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
  const seconds = (performance.now() - stoppedAt) / 1_000
  expect(seconds).toBeGreaterThan(6)
  // A connection that stayed open would take ten seconds more.
  expect(seconds).toBeLessThan(15)
})

test('a call that is running at SIGTERM closes its connection with its answer', async () => {
  const server = startProcess({ DATA_DIR, DRAIN_SECONDS: '6' })
  const address = await server.ready()
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const
  const headers = { 'content-type': 'application/json', 'content-length': 2 }
  const call = request(`${address}/api/v1/admin/auth/login`, { agent: agents[0], method: 'POST', headers })
  const answer = once(call, 'response')
  call.write('{')
  // The server has read the start of the call when it answers later ones.
  for (let n = 0; n < 5; n += 1) expect(await get(agents[1], `${address}/healthz`)).toEqual([200, 'keep-alive'])
  server.child.kill('SIGTERM')
  await expect.poll(async () => await get(agents[1], `${address}/readyz`), { interval: 20 }).toEqual([503, 'close'])
  call.end('}')
  const [{ statusCode, headers: answered }] = await answer
  expect([statusCode, answered.connection]).toEqual([422, 'close'])
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
})

test('a connection of the drain may send its first call after the drain', async () => {
  const server = startProcess({ DATA_DIR, DRAIN_SECONDS: '5' })
  const { port, origin } = new URL(await server.ready())
  server.child.kill('SIGTERM')
  const agent = new Agent()
  await expect.poll(async () => await get(agent, `${origin}/readyz`), { interval: 20 }).toEqual([503, 'close'])
  const silent = connect(Number(port), '127.0.0.1')
  await once(silent, 'connect')
  // After the drain no new connection is accepted, and idle ones are closed each 100 ms.
  const isOver = () =>
    get(agent, `${origin}/readyz`).then(
      () => false,
      () => true,
    )
  await expect.poll(isOver, { interval: 100 }).toBe(true)
  await sleep(500)
  silent.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [answer] = await once(silent, 'data', { signal: AbortSignal.timeout(20_000) })
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /)
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
})

test('Ctrl-C does not wait, and an idle connection does not delay the end', async () => {
  const server = startProcess({ DATA_DIR, DRAIN_SECONDS: '60' })
  const { port } = new URL(await server.ready())
  const silent = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  await new Promise((resolve) => {
    silent.once('connect', resolve)
  })
  const stoppedAt = performance.now()
  server.child.kill('SIGINT')
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
  // It would take ten seconds more.
  expect(performance.now() - stoppedAt).toBeLessThan(9_000)
})

test('a second signal ends the drain', async () => {
  const server = startProcess({ DATA_DIR, DRAIN_SECONDS: '60' })
  const address = await server.ready()
  server.child.kill('SIGTERM')
  const agent = new Agent()
  await expect.poll(async () => await get(agent, `${address}/readyz`), { interval: 20 }).toEqual([503, 'close'])
  // A terminal and npm may both send the signal of one Ctrl-C, so signals within a second count once.
  await sleep(1_200)
  const signalledAt = performance.now()
  server.child.kill('SIGINT')
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
  expect(performance.now() - signalledAt).toBeLessThan(50_000)
})
