import { readFileSync } from 'node:fs'
import { login } from '@switchboard/contract/auth'
import { verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { tenantList } from '@switchboard/contract/tenants'
import { makeApiKey, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { SHARED_SECRET, startProcess, tokenAt } from '#tests/server-process.ts'

const PASSWORD = 'as slim as in the morning'
const CLIENTS = 8
const WARM_UP_REQUESTS = 1_000
const REQUESTS = 4_000
/** Requests between two readings of the memory. */
const READING_EVERY = 100
/** Number of last readings; the result is their median. */
const READINGS = 9
const GROWTH_MAX = 1.3

const { db, url: DATABASE_URL, drop } = await createTestDatabase(inject('postgresUrl'))
const server = startProcess({ DATABASE_URL, WEBHOOK_SECRET: SHARED_SECRET, SUPER_ADMIN_PASSWORD: PASSWORD })
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  await drop()
})

/** Resident memory of the server (Linux only). */
function residentMegabytes(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
}

type Call = { name: string; status: number; send: (n: number) => Promise<Response> }

/** The requests of the mixed load, with the expected status. None of them counts towards the limits of a session. */
async function mixedCalls(): Promise<Call[]> {
  const address = await server.ready()
  const [, aiAddress = ''] = /AI API +([^\s"]+)/.exec(server.output()) ?? []
  const authorization = `Bearer ${await tokenAt(address, PASSWORD)}`
  await makeManyTenants(db, 500)
  const { api_key } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
  const get = async (path: string) => await fetch(`${address}${path}`, { headers: { authorization } })
  const post = async (url: string, body: string) =>
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const guess = JSON.stringify({ email: 'guess@example.com', password: 'wrong' })
  const checkOf = (key: string) => post(`${aiAddress}${verifyKey.url}`, JSON.stringify({ api_key: key }))
  // The throttle refuses further guesses, so that the load is more than hashing.
  for (let n = 0; n < 10; n += 1) await post(`${address}${login.url}`, guess)
  return [
    { name: 'refused sign-in', status: 429, send: () => post(`${address}${login.url}`, guess) },
    { name: 'list', status: 200, send: () => get(`${tenantList.list.url}?limit=20`) },
    { name: 'search', status: 200, send: (n) => get(`${tenantList.list.url}?limit=20&q=${n % 50}`) },
    {
      name: 'invalid body',
      status: 422,
      send: (n) => post(`${address}${login.url}`, JSON.stringify({ email: 'x'.repeat(n) })),
    },
    {
      name: 'broken body',
      status: 400,
      send: (n) => post(`${address}${login.url}`, `{"email": ${'['.repeat(n % 30)}`),
    },
    { name: 'valid key', status: 200, send: () => checkOf(api_key) },
    { name: 'unknown key', status: 401, send: (n) => checkOf(`${api_key}${n}`) },
    { name: 'unknown path', status: 404, send: (n) => get(`/api/v1/admin/unknown/${n}`) },
  ]
}

/** Sends `count` requests, the calls in turn, and returns the median of the last readings of the memory. */
async function megabytesAfter(count: number, calls: Call[]): Promise<number> {
  const readings: number[] = []
  let sent = 0
  const client = async () => {
    while (sent < count) {
      const n = sent
      sent += 1
      const call = calls[n % calls.length]
      const answer = await call?.send(n)
      await answer?.arrayBuffer()
      expect(answer?.status, call?.name).toBe(call?.status)
      if (n % READING_EVERY === 0) readings.push(residentMegabytes())
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const last = readings.slice(-READINGS).toSorted((one, other) => one - other)
  return last[Math.floor(READINGS / 2)] ?? Number.NaN
}

test.skipIf(process.platform !== 'linux')(
  'a mixed load of thousands of requests does not grow the memory of the server',
  async () => {
    const calls = await mixedCalls()
    const before = await megabytesAfter(WARM_UP_REQUESTS, calls)
    const after = await megabytesAfter(REQUESTS, calls)
    expect(after / before, `${before} MB, then ${after} MB`).toBeLessThan(GROWTH_MAX)
  },
)
