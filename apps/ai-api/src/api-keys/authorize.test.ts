import { METHODS, request as sendRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { createLogger } from '@switchboard/server/process/log'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'

const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const logLines: string[] = []
const log = createLogger('info', { write: (line) => void logLines.push(line) })
const app = await buildAiApi(testDeps({ db, directUrl: databaseUrl, log }))
const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
const tenant = await makeTenant(db)
const key = await makeApiKey(db, { tenant_id: tenant.id, allowed_origins: ['https://shop.example'] })
const KEY_HEADERS = { 'x-api-key': key.api_key, origin: 'https://shop.example' }
afterAll(async () => {
  await app.close()
  await drop()
})

type Answer = { status: number | undefined; headers: Record<string, unknown>; body: string }
async function ask(method: string, path: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    sendRequest({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      const chunks: string[] = []
      response.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: chunks.join('') }),
      )
    })
      .on('error', reject)
      .end(body)
  })
}

/** Node handles CONNECT itself: no route sees the request. */
const METHODS_SENT = METHODS.filter((method) => method !== 'CONNECT')

describe.for([
  ['/v1/keys/authorize', 204],
  ['/v1/keys/authorize/', 200],
  ['/v1/keys/authorize/chat/messages?stream=1', 200],
  ['/v1/keys/authorize/%FF/%00?%', 200],
  [`/v1/keys/authorize/${'long/'.repeat(1_000)}`, 200],
] as const)('%s', ([path, good]) => {
  test.for(METHODS_SENT)('%s is authorized by its key', async (method) => {
    const answer = await ask(method, path, KEY_HEADERS)
    expect(answer).toMatchObject({
      status: good,
      headers: { 'x-tenant-id': tenant.id, 'x-api-key-id': key.id },
      body: '',
    })
    expect((await ask(method, path, {})).status).toBe(401)
    expect((await ask(method, path, { ...KEY_HEADERS, origin: 'https://else.example' })).status).toBe(403)
  })
})

test('a path with the same prefix is unknown', async () => {
  expect((await ask('GET', '/v1/keys/authorizer', KEY_HEADERS)).status).toBe(404)
})

test('a call with a valid key is not logged, and no log line has the path of a caller', async () => {
  logLines.length = 0
  await ask('POST', '/v1/keys/authorize/secret-path', KEY_HEADERS)
  expect(logLines).toEqual([])
  await ask('POST', '/v1/keys/authorize/secret-path', {})
  await expect.poll(() => logLines.join('')).toContain('"route":"/v1/keys/authorize/*"')
  expect(logLines.join('')).not.toContain('secret-path')
})

/** Opens a connection, sends `head` and collects the response. */
function open(head: string): { socket: Socket; seen: () => string } {
  let seen = ''
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(head))
  socket.on('data', (chunk) => (seen += String(chunk))).on('error', () => undefined)
  return { socket, seen: () => seen }
}

describe('the body is not read', () => {
  const bodies: [string, Record<string, string>, string][] = [
    ['broken JSON', { 'content-type': 'application/json' }, '{"a":'],
    ['an unknown content type', { 'content-type': 'application/x-unknown' }, 'x'],
    ['a broken content type', { 'content-type': 'x' }, 'x'],
    ['an encoding', { 'content-type': 'application/json', 'content-encoding': 'br' }, 'x'],
    ['more than the body limit', { 'content-type': 'application/json' }, 'x'.repeat(2_000_000)],
  ]
  test.for(bodies)('%s', async ([, headers, body]) => {
    for (const path of ['/v1/keys/authorize', '/v1/keys/authorize/chat']) {
      const length = { 'content-length': String(body.length) }
      expect((await ask('POST', path, { ...KEY_HEADERS, ...headers, ...length }, body)).headers).toMatchObject({
        'x-tenant-id': tenant.id,
      })
    }
  })

  const head = `POST /v1/keys/authorize/chat HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key.api_key}\r\nOrigin: https://shop.example\r\n`
  test.for(['Content-Length: 10000000', 'Transfer-Encoding: chunked'])(
    'with %s the answer comes before the body does',
    async (length) => {
      const { socket, seen } = open(`${head}${length}\r\n\r\n`)
      await expect.poll(seen).toMatch(/^HTTP\/1\.1 200 /)
      socket.destroy()
    },
  )

  test('the connection can be reused afterwards', async () => {
    const { socket, seen } = open(`${head}Content-Length: 100000\r\n\r\n`)
    await expect.poll(seen).toMatch(/^HTTP\/1\.1 200 /)
    socket.write(`${'x'.repeat(100_000)}${head}Content-Length: 0\r\n\r\n`)
    await expect.poll(() => seen().match(/HTTP\/1\.1 200 /g)).toHaveLength(2)
    socket.destroy()
  })
})

// Envoy's HTTP `ext_authz` (envoyproxy.io, "External Authorization") sends the caller's method, `path_prefix` and path,
// the allowed headers and an empty body, and allows the request only after a 200.
test('a request of Envoy is authorized', async () => {
  const { socket, seen } = open(
    [
      'POST /v1/keys/authorize/chat/messages?lang=de HTTP/1.1',
      'host: api.example.com',
      'content-length: 0',
      `authorization: Bearer ${key.api_key}`,
      'origin: https://shop.example',
      'x-forwarded-for: 192.0.2.7',
      'x-envoy-internal: true',
      'x-envoy-expected-rq-timeout-ms: 2000',
      '\r\n',
    ].join('\r\n'),
  )
  await expect.poll(seen).toMatch(/^HTTP\/1\.1 200 /)
  expect(seen()).toContain(`x-tenant-id: ${tenant.id}`)
  socket.destroy()
})

test('a request of Traefik is authorized', async () => {
  const forwarded = {
    'x-forwarded-method': 'POST',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example.com',
    'x-forwarded-uri': '/chat/messages?lang=de',
    'x-forwarded-for': '192.0.2.7',
  }
  expect((await ask('GET', '/v1/keys/authorize', { ...KEY_HEADERS, ...forwarded })).status).toBe(204)
})

const authorize = (headers: Record<string, string>) => app.inject({ url: '/v1/keys/authorize', headers })
const newKey = (fields: Partial<Parameters<typeof makeApiKey>[1]> = {}) =>
  makeApiKey(db, { tenant_id: tenant.id, ...fields })
const ORIGINS = { allowed_origins: ['https://shop.example', 'https://*.shop.example'] }

describe('the headers of a gateway', () => {
  test('the key is read from either header, and its owner is answered in headers', async () => {
    const ends = new Date(Date.now() + 3_600_000)
    const rotated = await newKey({ grace_ends_at: ends, expires_at: ends })
    for (const headers of [{ authorization: `Bearer ${rotated.api_key}` }, { 'x-api-key': rotated.api_key }]) {
      const answer = await authorize(headers)
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
      expect(answer.headers).toMatchObject({
        'x-tenant-id': tenant.id,
        'x-api-key-id': rotated.id,
        'x-key-environment': 'live',
        'x-api-key-grace-ends': ends.toISOString(),
      })
    }
  })

  test('the environment of the key is answered in a header, whatever the caller sends', async () => {
    const { api_key } = await newKey({ environment: 'test' })
    const answer = await authorize({ 'x-api-key': api_key, 'x-key-environment': 'live' })
    expect([answer.statusCode, answer.headers['x-key-environment']]).toEqual([204, 'test'])
  })

  test('X-Api-Key wins over a token of another service in Authorization', async () => {
    const { api_key } = await newKey()
    const jwt = 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dQw4w9WgXcQ'
    expect((await authorize({ authorization: jwt, 'x-api-key': api_key })).statusCode).toBe(204)
    expect((await authorize({ authorization: `Bearer ${api_key}`, 'x-api-key': 'sb_live_other' })).statusCode).toBe(401)
  })

  test('the origin is read from the Origin header', async () => {
    const { api_key } = await newKey(ORIGINS)
    expect((await authorize({ 'x-api-key': api_key, origin: 'https://shop.example' })).statusCode).toBe(204)
    expect((await authorize({ 'x-api-key': api_key, origin: 'https://evil.example' })).statusCode).toBe(403)
  })

  test('a key in the URL, in a cookie or under another scheme is not read', async () => {
    const { api_key } = await newKey()
    expect((await app.inject(`/v1/keys/authorize?api_key=${api_key}`)).statusCode).toBe(401)
    expect((await authorize({ cookie: `api_key=${api_key}` })).statusCode).toBe(401)
    expect((await authorize({ authorization: `Basic ${api_key}` })).statusCode).toBe(401)
  })
})
