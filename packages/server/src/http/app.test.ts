import { Readable, Writable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { text } from '@switchboard/contract/wire/text'
import { connect, poolCounts } from '@switchboard/database/connection/connect'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { createApp } from './app.ts'
import { AppError } from './errors.ts'
import { createLogger } from '#src/process/log.ts'
import { VERSION } from '#src/settings/version.ts'

const database = await createTestDatabase(inject('postgresUrl'))
const logLines: string[] = []
const log = createLogger(
  'info',
  new Writable({ write: (chunk, _encoding, done) => (logLines.push(String(chunk)), done()) }),
)
const app = await createApp({ title: 'Test', db: database.db, log, trustProxy: false })
const tiny = connect(database.url, { max: 1 })

app.post('/echo', async (request) => ({ got: request.body }))
app.get('/echo/:id', async (request) => ({ params: request.params, query: request.query }))
app.route({
  method: 'POST',
  url: '/strict',
  schema: {
    body: z.strictObject({ name: text(5), list: z.array(z.strictObject({ n: z.number() })).optional() }),
    response: { 200: z.object({ name: z.string() }) },
  },
  handler: async (request) => ({ name: request.body.name, password_hash: 'undeclared' }),
})
app.get('/long', async () => ({ text: LONG }))
app.get('/long-stream', (_request, reply) =>
  reply.type('application/json; charset=utf-8').send(Readable.from([JSON.stringify({ text: LONG })])),
)
app.get('/defect', async () => {
  throw new Error('a secret detail at /some/path')
})
app.get('/refusal', async () => {
  throw new AppError(418, 'A sentence', { headers: { 'retry-after': '7' }, extra: { more: 1 } })
})
app.get('/slow-statement', async () => {
  const impatient = connect(database.url, { max: 1, statementTimeoutMs: 50 })
  try {
    await sql`select pg_sleep(5)`.execute(impatient)
  } finally {
    await impatient.destroy()
  }
})
app.get('/busy-pool', async () => {
  await sql`select 1`.execute(tiny)
})
afterAll(async () => {
  await app.close()
  await tiny.destroy()
  await database.drop()
})

/** More than fits into two packets. */
const LONG = 'naïve '.repeat(1_000)
const json = { 'content-type': 'application/json' }
const post = (payload: string | Buffer, headers: Record<string, string> = json, url = '/echo') =>
  app.inject({ method: 'POST', url, payload, headers })

describe('a long answer', () => {
  const get = async (url: string, encoding: string) =>
    await app.inject({ url, headers: encoding === '' ? {} : { 'accept-encoding': encoding } })

  test.for([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
  ] as const)('is compressed for a client that accepts %j with %s', async ([accepted, encoding]) => {
    for (const url of ['/long', '/long-stream']) {
      const { headers, rawPayload } = await get(url, accepted)
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: expect.stringContaining('accept-encoding') })
      expect(rawPayload.length).toBeLessThan(1_000)
      const answer = encoding === 'br' ? brotliDecompressSync(rawPayload) : gunzipSync(rawPayload)
      expect(JSON.parse(answer.toString())).toEqual({ text: LONG })
    }
  })

  test.for(['', 'identity', 'gzip;q=0', 'br;q=0, gzip;q=0', 'zstd'])(
    'is sent uncompressed to a client that accepts %j',
    async (accepted) => {
      for (const url of ['/long', '/long-stream']) {
        const answer = await get(url, accepted)
        expect([answer.headers['content-encoding'], answer.json()]).toEqual([undefined, { text: LONG }])
      }
    },
  )

  test('with a short body is sent uncompressed', async () => {
    expect((await get('/healthz', 'gzip')).headers['content-encoding']).toBeUndefined()
  })
})

describe('every answer', () => {
  test.for([
    ['GET', '/healthz'],
    ['GET', '/nope'],
    ['GET', '/%zz'],
    ['GET', '/defect'],
    ['GET', '/refusal'],
    ['PUT', '/healthz'],
    ['POST', '/strict'],
    ['HEAD', '/healthz'],
  ] as const)('to %s %s carries the security headers and no version of ours', async ([method, url]) => {
    const { headers } = await app.inject({ method, url })
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';font-src 'self';form-action 'none';base-uri 'none';frame-ancestors 'none';require-trusted-types-for 'script';trusted-types 'none'",
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'permissions-policy': expect.stringContaining('geolocation=()'),
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('an error', () => {
  test('with an unexpected error answers a constant body with the request id of its log line', async () => {
    const answer = await app.inject('/defect')
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { detail: 'Internal error', request_id: answer.headers['x-request-id'], code: 'internal' },
    ])
    const line = logLines.find((one) => one.includes(String(answer.headers['x-request-id'])))
    expect(line).toContain('a secret detail')
  })

  test('with a refusal answers its sentence, headers and extra fields', async () => {
    const answer = await app.inject('/refusal')
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      418,
      '7',
      { detail: 'A sentence', code: 'bad_request', more: 1 },
    ])
  })

  test('in a field names its place, also in lists and for unknown keys', async () => {
    const answer = await post('{"name":"too long","list":[{"n":1},{"n":"x"}],"extra":1}', json, '/strict')
    expect(answer.statusCode).toBe(422)
    const { detail } = answer.json()
    expect(detail.map((one: { loc: unknown }) => one.loc)).toEqual([
      ['body', 'name'],
      ['body', 'list', '1', 'n'],
      ['body', 'extra'],
    ])
    expect(detail[0].msg).toBe('Use at most 5 characters.')
  })

  test('with many bad fields names the first twenty, each place cut to a readable length', async () => {
    const body = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n} ${'x'.repeat(500)}`, n]))
    const answer = await post(JSON.stringify(body), json, '/strict')
    expect(answer.statusCode).toBe(422)
    expect(answer.json().detail).toHaveLength(20)
    expect(answer.rawPayload.length).toBeLessThan(5_000)
  })

  test('of a slow statement is 503 with Retry-After', async () => {
    const answer = await app.inject('/slow-statement')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
  })

  test('of an exhausted pool is 503 within two seconds, not a hang', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await tiny.connection().execute(async () => {
      const answer = app.inject('/busy-pool')
      await expect.poll(() => poolCounts(tiny).waiting).toBe(1)
      vi.advanceTimersByTime(2_000)
      expect((await answer).statusCode).toBe(503)
    })
  })
})

test('undeclared keys never leave the server', async () => {
  expect((await post('{"name":"ok"}', json, '/strict')).body).toBe('{"name":"ok"}')
})

test('a known path under another method is 405 and names the methods', async () => {
  const answer = await app.inject({ method: 'DELETE', url: '/echo/5' })
  expect([answer.statusCode, answer.headers.allow, answer.json()]).toEqual([
    405,
    'GET, HEAD',
    { detail: 'Method not allowed', code: 'method_not_allowed' },
  ])
})

describe('the log', () => {
  test('has one log line with ids, without query, header or body', async () => {
    logLines.length = 0
    await app.inject({
      method: 'POST',
      url: '/echo?token=canary-query',
      payload: '{"a":"canary-body"}',
      headers: { ...json, authorization: 'Bearer canary-header' },
    })
    expect(logLines).toHaveLength(1)
    const line = JSON.parse(logLines[0] ?? '')
    expect(line).toMatchObject({
      method: 'POST',
      route: '/echo',
      status: 200,
      address: '127.0.0.1',
      req_id: expect.any(String),
      ms: expect.any(Number),
    })
    expect(logLines[0]).not.toContain('canary')
  })

  test('keeps line breaks and escapes of a path inside its line', async () => {
    logLines.length = 0
    await app.inject('/nope%0a{"level":"error"}%1b[31m')
    expect(logLines).toHaveLength(1)
    expect(JSON.parse(logLines[0] ?? '')).toMatchObject({ status: 404 })
  })
})

describe('health', () => {
  test('is alive and ready while the database is there, and alive but not ready without it', async () => {
    const lost = connect('postgres://nobody@127.0.0.1:1/nothing')
    const alone = await createApp({ title: 'Alone', db: lost, log: createLogger('silent'), trustProxy: false })
    expect((await app.inject('/readyz')).statusCode).toBe(200)
    expect((await alone.inject('/healthz')).statusCode).toBe(200)
    expect((await alone.inject('/readyz')).statusCode).toBe(503)
    await alone.close()
    await lost.destroy()
  })

  test('names the version of the release', async () => {
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok', version: VERSION })
  })
})
