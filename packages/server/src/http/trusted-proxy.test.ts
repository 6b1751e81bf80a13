import { connect } from '@switchboard/database/connection/connect'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { createLogger } from '#src/process/log.ts'

const UUID = /^[\da-f-]{36}$/
const logLines: string[] = []
const log = createLogger('info', { write: (line) => void logLines.push(line) })
const db = connect('postgres://nobody@127.0.0.1:1/nothing')
const app = await createApp({ title: 'Test', db, log, trustProxy: ['10.0.0.0/8', '2001:db8::1'] })
app.get('/ip', async (request) => ({ ip: request.ip, id: request.id }))
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
  ['198.51.100.7:443', '10.0.0.1'],
  [`fe80::1%${'z'.repeat(200)}`, '10.0.0.1'],
  ['', '10.0.0.1'],
  ['<script>, 198.51.100.7', '198.51.100.7'],
  ['203.0.113.9, <script>, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['198.51.100.7, <script>', '10.0.0.1'],
]
test.for(forwarded)('of X-Forwarded-For %s from a trusted proxy, %s is the address', async ([header, ip]) => {
  expect((await ask('10.0.0.1', { 'x-forwarded-for': header })).json()).toMatchObject({ ip })
})

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
