import { connect } from '@switchboard/database/connection/connect'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { createApp } from '#src/http/app.ts'
import { VERSION } from '#src/settings/version.ts'
import { createLogger } from './log.ts'
import { measureOne } from './metrics.ts'
import { createOpsApp } from './ops.ts'

const db = connect(inject('postgresUrl'))
const app = await createApp({ title: 'Test', db, log: createLogger('silent'), trustProxy: false })
const ops = createOpsApp(app, { isLoopback: true })
const inside = createOpsApp(app, { isLoopback: false })
afterAll(async () => {
  await Promise.all([ops.close(), inside.close(), app.close()])
  await db.destroy()
})

describe('the port of operators', () => {
  test('counts requests of the server by route for Prometheus', async () => {
    await app.inject('/healthz')
    expect((await ops.inject('/metrics')).body).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} \d+/,
    )
  })

  test('names the release in the metrics', async () => {
    expect((await ops.inject('/metrics')).body).toContain(`switchboard_build_info{version="${VERSION}"} 1`)
  })

  test('has the pool of connections and dropped log lines, from 0 on', async () => {
    const held = await db.connection().execute(async () => (await ops.inject('/metrics')).body)
    expect(held).toContain('database_pool_max{pool="main"} 10')
    expect(held).toContain('database_pool_in_use{pool="main"} 1')
    expect(held).toContain('database_pool_waiting{pool="main"} 0')
    expect((await ops.inject('/metrics')).body).toContain('database_pool_in_use{pool="main"} 0')
    expect(held).toMatch(/^log_lines_dropped_total \d+$/m)
  })

  test.for([
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
  ] as const)('answers a call of a page with %j with %i', async ([headers, status]) => {
    expect((await ops.inject({ url: '/metrics', headers })).statusCode).toBe(status)
  })

  test('collects the metrics once for scrapes at the same time', async () => {
    let collections = 0
    measureOne(app.metrics, { name: 'collections', help: 'Collections' }, () => (collections += 1))
    const answers = await Promise.all(Array.from({ length: 20 }, () => ops.inject('/metrics')))
    expect(answers.map(({ body }) => /^collections (\d+)$/m.exec(body)?.[1])).toEqual(answers.map(() => '1'))
  })

  test('sends the security headers, also on unknown paths', async () => {
    const answer = await ops.inject('/nope')
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Not found' }])
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  })

  test.for([
    ['evil.example', 421],
    ['localhost:3002', 200],
    ['127.0.0.1:3002', 200],
  ] as const)('on loopback answers host %s with %i', async ([host, status]) => {
    expect((await ops.inject({ url: '/metrics', headers: { host } })).statusCode).toBe(status)
  })

  test('on another address answers under any host', async () => {
    const headers = { host: 'switchboard.internal:3002' }
    expect((await inside.inject({ url: '/metrics', headers })).statusCode).toBe(200)
  })
})

test('the public port does not know /metrics', async () => {
  expect((await app.inject('/metrics')).statusCode).toBe(404)
})
