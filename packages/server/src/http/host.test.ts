import { connect } from '@switchboard/database/connection/connect'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { createApp } from './app.ts'
import { isHostOf, isLocalHost } from './host.ts'
import { createLogger } from '#src/process/log.ts'

const database = await createTestDatabase(inject('postgresUrl'))
const db = connect(database.url)
const options = { title: 'Test', db, log: createLogger('silent'), publicUrl: 'https://console.example.com' }
const direct = await createApp({ ...options, trustProxy: false })
const proxied = await createApp({ ...options, trustProxy: ['127.0.0.1'] })
for (const app of [direct, proxied]) app.get('/page', async () => ({}))
afterAll(async () => {
  await Promise.all([direct.close(), proxied.close()])
  await db.destroy()
  await database.drop()
})

describe('with a public URL', () => {
  test.for([
    ['console.example.com', 200],
    ['CONSOLE.example.com:443', 200],
    ['console.example.com:8443', 421],
    ['evil.example', 421],
    ['127.0.0.1', 421],
  ] as const)('a request for host %s answers %i', async ([host, status]) => {
    const answer = await direct.inject({ url: '/page', headers: { host } })
    expect(answer.statusCode).toBe(status)
    if (status === 421) expect(answer.json()).toMatchObject({ detail: 'This host is not served here.' })
  })

  test('the probes of a load balancer answer under any host', async () => {
    for (const url of ['/healthz', '/readyz'])
      expect((await direct.inject({ url, headers: { host: '10.0.0.7:3000' } })).statusCode).toBe(200)
  })

  test('the forwarded host counts behind a trusted proxy only', async () => {
    const headers = { host: '10.0.0.7:3000', 'x-forwarded-host': 'console.example.com' }
    expect((await proxied.inject({ url: '/page', headers })).statusCode).toBe(200)
    expect((await direct.inject({ url: '/page', headers })).statusCode).toBe(421)
  })
})

test.for([
  ['https://a.example', 'a.example', true],
  ['https://a.example:8443', 'a.example:8443', true],
  ['https://a.example:8443', 'a.example', false],
  ['http://a.example', 'a.example:80', true],
  ['https://a.example', 'a.example:80', false],
  ['https://a.example', 'b.example', false],
] as const)('host of %s: %s is %s', ([url, host, expected]) => expect(isHostOf(url, host)).toBe(expected))

test.for([
  ['localhost', true],
  ['localhost:3002', true],
  ['127.0.0.1:3002', true],
  ['[::1]:3002', true],
  ['evil.example', false],
  ['127.0.0.1.evil.example:3002', false],
] as const)('%s is a name of this machine: %s', ([host, expected]) => expect(isLocalHost(host)).toBe(expected))
