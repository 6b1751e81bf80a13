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
const server = startProcess({ DATA_DIR, SUPER_ADMIN_PASSWORD: PASSWORD })
let address = ''
beforeAll(async () => {
  address = await server.ready()
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  rmSync(DATA_DIR, { recursive: true, force: true })
})

/** Signs in over an agent's connections and returns the status. */
async function signIn(agent: Agent, email: string, password: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json' }
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
