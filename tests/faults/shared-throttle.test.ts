import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { login } from '@switchboard/contract/auth'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// Two admin-apis over one database count failed sign-ins together.

const PASSWORD = 'two doors, one counter'
const SUPER_ADMIN = 'admin@switchboard.local'
/** Failures at one account from one network until the throttle refuses. */
const ALLOWED = 10

/** All of 127.0.0.0/8 is the loopback interface on Linux. */
const PROXY = '127.0.0.2'
const STRANGER = '127.0.0.3'
const ELSEWHERE = '127.0.0.4'

const { url: DATABASE_URL, drop } = await createTestDatabase(inject('postgresUrl'))
let servers = startTwo()
afterAll(async () => {
  await stop()
  await drop()
})

type SignIn = { email: string; password?: string; peer?: string; forwardedFor?: string }

/** Signs in from `peer`, with a wrong password unless told otherwise, and returns the status. */
async function signIn(
  address: string,
  { email, password = 'a wrong password', peer = STRANGER, forwardedFor }: SignIn,
) {
  const headers = {
    'content-type': 'application/json',
    ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
  }
  const call = request(`${address}${login.url}`, { agent: false, localAddress: peer, method: login.method, headers })
  call.end(JSON.stringify({ email, password }))
  const [answer]: IncomingMessage[] = await once(call, 'response')
  answer?.resume()
  return answer?.statusCode
}

/** Two admin-apis that trust one proxy. */
function startTwo() {
  const settings = {
    DATABASE_URL,
    WEBHOOK_SECRET: SHARED_SECRET,
    SUPER_ADMIN_PASSWORD: PASSWORD,
    TRUST_PROXY: PROXY,
  }
  return [1, 2].map(() => startProcess(settings, 'apps/admin-api/src/main.ts'))
}

async function stop() {
  for (const { child } of servers) child.kill('SIGTERM')
  await Promise.all(servers.map(({ ended }) => ended))
}

/** Statuses of `count` sign-ins, at one server after the other. */
async function signInInTurn(count: number, signInOf: (n: number) => SignIn) {
  const addresses = await Promise.all(servers.map((server) => server.ready()))
  const statuses: (number | undefined)[] = []
  for (let n = 0; n < count; n += 1) statuses.push(await signIn(addresses[n % 2] ?? '', signInOf(n)))
  return statuses
}

const allowed = Array.from({ length: ALLOWED }, () => 401)

test('two servers count failed sign-ins together, and still refuse after a restart of both', async () => {
  expect(await signInInTurn(ALLOWED, () => ({ email: SUPER_ADMIN }))).toEqual(allowed)
  expect(await signInInTurn(2, () => ({ email: SUPER_ADMIN, password: PASSWORD }))).toEqual([429, 429])
  await stop()
  servers = startTwo()
  expect(await signInInTurn(2, () => ({ email: SUPER_ADMIN, password: PASSWORD }))).toEqual([429, 429])
  expect(await signInInTurn(1, () => ({ email: SUPER_ADMIN, password: PASSWORD, peer: ELSEWHERE }))).toEqual([200])
})

test('two servers ignore X-Forwarded-For from an untrusted peer', async () => {
  const byStranger = (n: number) => ({ email: 'stranger@example.com', forwardedFor: `198.51.100.${n}` })
  expect(await signInInTurn(ALLOWED, byStranger)).toEqual(allowed)
  expect(await signInInTurn(2, (n) => byStranger(ALLOWED + n))).toEqual([429, 429])
})

test('two servers count by X-Forwarded-For from a trusted proxy', async () => {
  const byProxy = (forwardedFor: string) => () => ({ email: 'visitor@example.com', peer: PROXY, forwardedFor })
  expect(await signInInTurn(ALLOWED, byProxy('203.0.113.1'))).toEqual(allowed)
  expect(await signInInTurn(2, byProxy('203.0.113.1'))).toEqual([429, 429])
  expect(await signInInTurn(2, byProxy('203.0.113.2'))).toEqual([401, 401])
  // A client may send the header too: the proxy appends the client's address.
  expect(await signInInTurn(2, byProxy('203.0.113.3, 203.0.113.1'))).toEqual([429, 429])
})
