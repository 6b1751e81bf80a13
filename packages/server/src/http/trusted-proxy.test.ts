import { connect } from '@switchboard/database/connection/connect'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createApp } from './app.ts'
import { createLogger } from '#src/process/log.ts'

const UUID = /^[\da-f-]{36}$/
const logLines: string[] = []
const log = createLogger('info', { write: (line) => void logLines.push(line) })
const db = connect('postgres://nobody@127.0.0.1:1/nothing')
const app = await createApp({ title: 'Test', db, log, trustProxy: ['10.0.0.0/8', '2001:db8::1'] })
app.get('/ip', async ({ ip, id, host, protocol }) => ({ ip, id, host, protocol }))
afterAll(async () => {
  await app.close()
  await db.destroy()
})

const ask = async (remoteAddress: string, headers: Record<string, string>) =>
  await app.inject({ url: '/ip', remoteAddress, headers })

const forwarded: [string, string][] = [
  ['198.51.100.7', '198.51.100.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['<script>', '10.0.0.1'],
  ['x'.repeat(5_000), '10.0.0.1'],
  ['203.0.113.8:52343', '203.0.113.8'],
  ['[2001:db8::9]:443', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['"[2001:db8::9]:443"', '2001:db8::9'],
  ['"203.0.113.8"', '203.0.113.8'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['[::FFFF:203.0.113.8]:52343', '203.0.113.8'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:443', 'fe80::1'],
  ['  203.0.113.8\t', '203.0.113.8'],
  ['203.0.113.8 , 10.0.0.2:443', '203.0.113.8'],
  [',203.0.113.8', '203.0.113.8'],
  ['unknown, 203.0.113.8', '203.0.113.8'],
  ['203.0.113.8, unknown', '10.0.0.1'],
  ['203.0.113.8:', '10.0.0.1'],
  ['203.0.113.8:port', '10.0.0.1'],
  ['203.0.113.8:520343', '10.0.0.1'],
  ['[203.0.113.8', '10.0.0.1'],
  ['2130706433', '10.0.0.1'],
  ['0x7f.1', '10.0.0.1'],
  ['203.0.113.08', '10.0.0.1'],
  [`fe80::1%${'z'.repeat(200)}`, '10.0.0.1'],
  ['', '10.0.0.1'],
  ['<script>, 198.51.100.7', '198.51.100.7'],
  ['203.0.113.9, <script>, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['198.51.100.7, <script>', '10.0.0.1'],
  // Only the end of a long header is read.
  [`${'192.0.2.1,'.repeat(5_000)}198.51.100.7, 10.0.0.2`, '198.51.100.7'],
  [','.repeat(70_000), '10.0.0.1'],
]
test.for(forwarded)('of X-Forwarded-For %s from a trusted proxy, %s is the address', async ([header, ip]) => {
  expect((await ask('10.0.0.1', { 'x-forwarded-for': header })).json()).toMatchObject({ ip })
})

test('unusable headers of trusted proxies are counted, and the first one is logged', async () => {
  const own: string[] = []
  const ownLog = createLogger('info', { write: (line) => void own.push(line) })
  const other = await createApp({ title: 'Test', db, log: ownLog, trustProxy: ['10.0.0.0/8'] })
  onTestFinished(() => other.close())
  const counted = async () =>
    /^http_forwarded_addresses_unusable_total (\d+)$/m.exec(await other.metrics.metrics())?.[1]
  for (const headers of [{ 'x-forwarded-for': 'unknown' }, { forwarded: 'for=203.0.113.8' }])
    await other.inject({ url: '/healthz', remoteAddress: '192.0.2.1', headers })
  for (const remoteAddress of ['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1%eth0'])
    await other.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.8:1' } })
  expect(await counted()).toBe('0')
  for (const headers of [{ 'x-forwarded-for': 'unknown' }, { forwarded: 'for=203.0.113.8' }])
    await other.inject({ url: '/healthz', remoteAddress: '10.0.0.1', headers })
  expect(await counted()).toBe('2')
  const warnings = own.filter((line) => line.includes('"level":"warn"'))
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([{ address: '10.0.0.1' }])
})

test.for([
  ['console.example.com', 'console.example.com'],
  ['inner.example.com, console.example.com', 'console.example.com'],
  [' console.example.com:443 ', 'console.example.com:443'],
] as const)(
  'of X-Forwarded-Host %s and lists in X-Forwarded-Proto, the entry of the nearest proxy counts',
  async ([given, host]) => {
    const headers = { 'x-forwarded-host': given, 'x-forwarded-proto': 'http, https', 'x-forwarded-for': '203.0.113.8' }
    expect((await ask('10.0.0.1', headers)).json()).toMatchObject({ host, protocol: 'https' })
  },
)

test('X-Forwarded-For from any other peer is ignored', async () => {
  expect((await ask('192.0.2.1', { 'x-forwarded-for': '198.51.100.7' })).json()).toMatchObject({ ip: '192.0.2.1' })
})

test.for(['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1'])(
  'a well-formed X-Request-Id from the trusted proxy %s is kept in answer, header and log',
  async (peer) => {
    logLines.length = 0
    const answer = await ask(peer, { 'x-request-id': 'gateway.01-A_b' })
    expect([answer.json().id, answer.headers['x-request-id']]).toEqual(['gateway.01-A_b', 'gateway.01-A_b'])
    expect(logLines[0]).toContain('"req_id":"gateway.01-A_b"')
  },
)

const replaced: [string, string][] = [
  ['192.0.2.1', 'gateway.01-A_b'],
  ['2001:db8::2', 'gateway.01-A_b'],
  ['10.0.0.1', 'short'],
  ['10.0.0.1', 'x'.repeat(129)],
  ['10.0.0.1', 'with space'],
  ['10.0.0.1', '"},{"level":"error"'],
]
test.for(replaced)('from %s, X-Request-Id %s is replaced by a UUID', async ([peer, id]) => {
  expect((await ask(peer, { 'x-request-id': id })).headers['x-request-id']).toMatch(UUID)
})
