import { connect } from '@switchboard/database/connection/connect'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from './app.ts'
import { createLogger } from '#src/process/log.ts'

const db = connect('postgres://nobody@127.0.0.1:1/nothing')
const app = await createApp({ title: 'Test', db, log: createLogger('silent'), trustProxy: false })
app.post('/echo', async (request) => ({ got: request.body }))
app.get('/echo/:id', async (request) => ({ params: request.params, query: request.query }))
app.route({
  method: 'POST',
  url: '/strict',
  schema: { body: z.strictObject({ name: z.string() }) },
  handler: async (request) => ({ name: request.body.name }),
})
app.route({
  method: 'GET',
  url: '/query',
  schema: { querystring: z.object({ q: z.optional(z.string()) }) },
  handler: async (request) => request.query,
})
app.get(
  '/named',
  { schema: { querystring: z.strictObject({ q: z.optional(z.string()) }) } },
  async ({ query }) => query,
)
afterAll(async () => {
  await app.close()
  await db.destroy()
})

const json = { 'content-type': 'application/json' }
const post = (payload: string | Buffer, headers: Record<string, string> = json, url = '/echo') =>
  app.inject({ method: 'POST', url, payload, headers })

const refused: [string, string | Buffer, Record<string, string>, number][] = [
  ['NUL in a value', '{"a":"x\\u0000y"}', json, 422],
  ['NUL in a key', '{"\\u0000":1}', json, 422],
  ['a lone surrogate deep inside', '{"a":[[{"b":"\\ud800"}]]}', json, 422],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), json, 422],
  ['a byte order mark', '\uFEFF{}', json, 400],
  ['broken JSON', '{"a":', json, 400],
  ['a prototype', '{"__proto__":{"admin":true}}', json, 400],
  ['a constructor', '{"constructor":{"prototype":{"admin":true}}}', json, 400],
  ['plain text', '{"a":1}', { 'content-type': 'text/plain' }, 415],
  ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['a content encoding', '{}', { ...json, 'content-encoding': 'gzip' }, 415],
  ['a key twice', '{"a":1,"a":1}', json, 422],
  ['a key twice, once with an escape', '{"a":1,"\\u0061":1}', json, 422],
  ['a key twice behind a text that ends with a backslash', '{"a":"\\\\","a":1}', json, 422],
  ['a key twice behind a text with an escaped quote', '{"a":"\\\\\\"","a":1}', json, 422],
  ['a key twice deep inside', '[{"a":[{"b":{"c":1,"d":2,"c":3}}]}]', json, 422],
  ['more values than any call takes', JSON.stringify(Array.from({ length: 2_002 }, () => 0)), json, 422],
  ['more keys than any call takes', `{${'"0":0,'.repeat(40_000)}"0":0}`, json, 422],
  ['a string without end', `{"a":"${'\\"'.repeat(120_000)}`, json, 400],
  ['more than 256 kB', `"${'x'.repeat(262_144)}"`, json, 413],
]
test.for(refused)('input with %s is refused', async ([, payload, headers, status]) => {
  expect((await post(payload, headers)).statusCode).toBe(status)
})

test.for([
  ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['arrays without an end', '['.repeat(200_000)],
  ['objects', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
  ['arrays behind text with brackets', `{"a":"]]]]","b":${'['.repeat(40)}${']'.repeat(40)}}`],
] as const)('%s nested too deeply are refused before they are parsed', async ([, payload]) => {
  const answer = await post(payload, json, '/strict')
  expect([answer.statusCode, answer.json().detail]).toEqual([422, 'The request body is nested too deeply.'])
})

test('input nested less deeply is accepted, also with brackets in text', async () => {
  const payload = `[${'['.repeat(31)}"${'['.repeat(50)}"${']'.repeat(31)}]`
  expect((await post(payload)).json()).toEqual({ got: JSON.parse(payload) })
})

test.for(['9'.repeat(200_000), '1e999999999', `0.${'9'.repeat(200_000)}`])(
  'a huge number is refused',
  async (number) => {
    expect((await post(`{"name":${number}}`, json, '/strict')).statusCode).toBe(422)
  },
)

test.for([
  ['a nested name', `q${'[a]'.repeat(5_000)}=1`, 422],
  ['thousands of names', Array.from({ length: 2_000 }, (_, n) => `k${n}=1`).join('&'), 422],
  ['one name thousands of times', 'q=1&'.repeat(4_000), 422],
  ['20 kB', `q=${'x'.repeat(20_000)}`, 414],
] as const)('a query with %s is refused', async ([, query, status]) => {
  expect((await app.inject(`/named?${query}`)).statusCode).toBe(status)
})

test.for(['{"a":{"a":1},"b":[{"a":":"},{"a":"\\",\\"a\\":"}]}', '{"":1," ":2}', '{"a":"\\\\","b":":"}', '":"', '7'])(
  'input with the same key in different objects, or colons in text, is taken: %s',
  async (payload) => expect((await post(payload)).json()).toEqual({ got: JSON.parse(payload) }),
)

test.for(['%FF', '%ED%A0%80', '%C0%AF', '%zz', '%'])('a query with %s is refused', async (escaped) => {
  expect((await app.inject(`/query?q=${escaped}`)).statusCode).toBe(422)
  expect((await app.inject(`/query?${escaped}=x`)).statusCode).toBe(422)
  expect((await app.inject(`/echo/a?q=${escaped}`)).statusCode).toBe(200)
})

test.for([
  ['/echo/a%00b', ['params', 'id']],
  ['/echo/a?q=%00', ['querystring', 'q']],
] as const)('NUL in %s is refused with its place', async ([url, loc]) => {
  const answer = await app.inject(url)
  expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, loc])
})

test.for([
  ['{"name":"x\\u0000"}', ['body', 'name']],
  ['{"list":[{"n":"ok"},{"n":"\\ud800"}]}', ['body', 'list', '1', 'n']],
  ['{"list":[{"\\u0000":1}]}', ['body', 'list', '0']],
] as const)('invalid text is refused with its location: %s', async ([payload, loc]) => {
  expect((await post(payload)).json().detail).toEqual([
    { loc, msg: 'This text has a character that cannot be stored (NUL or a lone surrogate).', type: 'invalid_text' },
  ])
})

test('awkward input comes back byte for byte', async () => {
  const awkward = 'é e\u0301 \u202E👩‍👩‍👧 \u{1F600}\r\n\t﻿ <script>"\'&'
  expect((await post(JSON.stringify(awkward))).json()).toEqual({ got: awkward })
})
