import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { login } from '@switchboard/contract/auth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataFolder, startProcess } from '#tests/server-process.ts'

const PASSWORD = 'four kettles under plum'
const CONNECTIONS = 300
const SIGN_INS = 25

const DATA_DIR = dataFolder()
const server = startProcess({ DATA_DIR, SUPER_ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: '127.0.0.1' })
let address = ''
beforeAll(async () => {
  address = await server.ready()
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  rmSync(DATA_DIR, { recursive: true, force: true })
})

/** Signs in over an agent's connections and returns the status. `network` is the forwarded address. */
async function signIn(agent: Agent, email: string, password: string, network?: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', ...(network !== undefined && { 'x-forwarded-for': network }) }
  const call = request(`${address}${login.url}`, { agent, method: login.method, headers })
  call.end(JSON.stringify({ email, password }))
  const [answer]: IncomingMessage[] = await once(call, 'response')
  answer?.resume()
  return answer?.statusCode
}

test('a flood of sign-ins from one address leaves other addresses unaffected', async () => {
  // All of 127.0.0.0/8 is the loopback interface on Linux.
  const stranger = new Agent({ keepAlive: true, localAddress: '127.0.0.2', maxSockets: CONNECTIONS })
  const admin = new Agent({ keepAlive: true, localAddress: '127.0.0.3' })
  const flood = { isOn: true, statuses: new Map<number | undefined, number>() }
  const guess = async () => {
    while (flood.isOn) {
      const status = await signIn(stranger, 'admin@switchboard.local', 'a wrong password')
      flood.statuses.set(status, (flood.statuses.get(status) ?? 0) + 1)
    }
  }
  const guesses = Promise.allSettled(Array.from({ length: CONNECTIONS }, guess))
  await expect.poll(() => flood.statuses.get(429) ?? 0).toBeGreaterThan(0)

  const statuses: (number | undefined)[] = []
  const times: number[] = []
  for (let n = 0; n < SIGN_INS; n += 1) {
    const startedAt = performance.now()
    statuses.push(await signIn(admin, 'admin@switchboard.local', PASSWORD))
    times.push(performance.now() - startedAt)
  }
  flood.isOn = false
  for (const agent of [stranger, admin]) agent.destroy()
  await guesses

  expect(statuses).toEqual(statuses.map(() => 200))
  expect(times.toSorted((one, other) => one - other)[Math.floor(SIGN_INS / 2)]).toBeLessThan(1_000)
  expect(flood.statuses.get(401)).toBeLessThanOrEqual(10)
})

test('a flood of sign-ins from 300 networks of one host leaves other networks unaffected', async () => {
  const [strangers, admin] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  const flood = { isOn: true, statuses: new Map<number | undefined, number>() }
  const guess = async (_: unknown, n: number) => {
    const network = `2001:db8:1:${n.toString(16)}::1`
    for (let attempt = 0; flood.isOn; attempt += 1) {
      const status = await signIn(strangers, `nobody-${n}-${attempt}@example.com`, 'a wrong password', network)
      flood.statuses.set(status, (flood.statuses.get(status) ?? 0) + 1)
    }
  }
  const guesses = Promise.allSettled(Array.from({ length: CONNECTIONS }, guess))
  await expect.poll(() => flood.statuses.get(401) ?? 0).toBeGreaterThan(0)

  const statuses: (number | undefined)[] = []
  const times: number[] = []
  for (let n = 0; n < SIGN_INS; n += 1) {
    const startedAt = performance.now()
    statuses.push(await signIn(admin, 'admin@switchboard.local', PASSWORD, '203.0.113.8'))
    times.push(performance.now() - startedAt)
  }
  flood.isOn = false
  for (const agent of [strangers, admin]) agent.destroy()
  await guesses

  expect(statuses).toEqual(statuses.map(() => 200))
  expect(times.toSorted((one, other) => one - other)[Math.floor(SIGN_INS / 2)]).toBeLessThan(5_000)
})
