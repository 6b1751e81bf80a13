import { hash, randomUUID } from 'node:crypto'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { createLogger } from '@switchboard/server/process/log'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'
import type { KnownKey } from './api-keys.queries.ts'
import { createKeyVerifier } from './api-keys.service.ts'
import { createKnownRequests } from './known-requests.ts'

const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const log = createLogger('silent')
const app = await buildAiApi(testDeps({ db, directUrl: databaseUrl, log }))
const verifier = createKeyVerifier({ db, directUrl: databaseUrl, log })
afterAll(async () => {
  await Promise.all([app.close(), verifier.stop()])
  await drop()
})

const tenant = await makeTenant(db)
const verify = (payload: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/v1/keys/verify',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })
const madeKey = (fields: Partial<KnownKey> = {}): KnownKey => ({
  hash: randomUUID(),
  api_key_id: randomUUID(),
  tenant_id: randomUUID(),
  refusal: null,
  expires_at: null,
  grace_ends_at: null,
  allowed_origins: [],
  ...fields,
})
const digest = (text: string) => hash('sha256', text, 'latin1')

describe('the table', () => {
  test('gives an answer until its key ends, and counts each time', () => {
    const requests = createKnownRequests(16)
    const key = madeKey({ expires_at: '2026-11-22T12:00:00.000Z' })
    const ends = Date.parse('2026-11-22T12:00:00.000Z')
    expect(requests.use(digest('a'), 1, ends - 1)).toBeUndefined()
    requests.keep(digest('a'), key, 'answer')
    expect(requests.use(digest('a'), 2, ends - 1)).toBe('answer')
    expect(requests.use(digest('a'), 3, ends - 1)).toBe('answer')
    expect(requests.use(digest('a'), 4, ends)).toBeUndefined()
    expect(usesOf(requests)).toEqual([[key.api_key_id, 2, 3]])
    expect(usesOf(requests)).toEqual([])
  })

  test('holds requests apart that belong in the same slot', () => {
    const requests = createKnownRequests(16)
    const texts = Array.from({ length: 12 }, (_, n) => `request ${n}`)
    for (const text of texts) requests.keep(digest(text), madeKey(), text)
    for (const text of texts) expect(requests.use(digest(text), 1, 1)).toBe(text)
    expect(requests.use(digest('another'), 1, 1)).toBeUndefined()
  })

  test('holds apart what differs in the last byte alone', () => {
    const requests = createKnownRequests(16)
    const one = digest('a')
    const other = one.slice(0, -1) + String.fromCharCode((one.charCodeAt(31) + 1) % 256)
    requests.keep(one, madeKey(), 'one')
    expect(requests.use(other, 1, 1)).toBeUndefined()
    requests.keep(other, madeKey(), 'other')
    expect([requests.use(one, 1, 1), requests.use(other, 1, 1)]).toEqual(['one', 'other'])
  })

  test('forgets a key with all its requests, not what was counted, and takes it in again', () => {
    const requests = createKnownRequests(16)
    const [key, other] = [madeKey(), madeKey()]
    requests.keep(digest('a'), key, 'a')
    requests.keep(digest('b'), key, 'b')
    requests.keep(digest('c'), other, 'c')
    requests.use(digest('a'), 1, 1)
    requests.forget(key)
    expect(['a', 'b', 'c'].map((text) => requests.use(digest(text), 2, 1))).toEqual([undefined, undefined, 'c'])
    requests.keep(digest('a'), key, 'a again')
    expect(requests.use(digest('a'), 3, 1)).toBe('a again')
    expect(usesOf(requests)).toEqual([
      [key.api_key_id, 2, 3],
      [other.api_key_id, 1, 2],
    ])
    requests.clear()
    expect(requests.use(digest('c'), 4, 1)).toBeUndefined()
  })

  test('takes no more when it is nearly full, and begins anew when its uses are taken', () => {
    const requests = createKnownRequests(16)
    for (let n = 0; n < 100; n += 1) requests.keep(digest(`request ${n}`), madeKey(), `${n}`)
    const known = () =>
      Array.from({ length: 100 }, (_, n) => requests.use(digest(`request ${n}`), n, 1)).filter(
        (answer) => answer !== undefined,
      )
    const before = known().length
    expect(before).toBeGreaterThan(10)
    expect(before).toBeLessThan(16)
    expect(usesOf(requests)).toHaveLength(before)
    expect(known()).toEqual([])
    requests.keep(digest('a'), madeKey(), 'a')
    expect(requests.use(digest('a'), 1, 1)).toBe('a')
  })

  test('one key does not take all the room', () => {
    const requests = createKnownRequests(64)
    const key = madeKey()
    for (let n = 0; n < 40; n += 1)
      for (let times = 0; times < 2; times += 1) requests.keep(digest(`request ${n}`), key, `${n}`)
    requests.keep(digest('a'), madeKey(), 'a')
    expect(requests.use(digest('request 15'), 1, 1)).toBe('15')
    expect(requests.use(digest('request 16'), 1, 1)).toBeUndefined()
    expect(requests.use(digest('a'), 1, 1)).toBe('a')
  })
})

describe('over HTTP', () => {
  test('the same request has the same answer and headers each time, and each time counts', async () => {
    const { id, api_key } = await makeApiKey(db, { tenant_id: tenant.id })
    const body = JSON.stringify({ api_key, origin: 'https://shop.example' })
    const answers = [await verify(body), await verify(body), await verify(`${body} `), await verify(body)]
    for (const answer of answers) {
      expect([answer.statusCode, answer.body]).toEqual([200, answers[0]?.body])
      const { date: _, ...headers } = answer.headers
      expect(headers).toEqual({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(answer.body.length),
        'cache-control': 'no-store',
        connection: 'keep-alive',
      })
    }
    await expect.poll(() => countOf(id), { timeout: 4_000 }).toBe(4)
  })

  test('what is said of the body beside it still counts', async () => {
    const { api_key } = await makeApiKey(db, { tenant_id: tenant.id })
    const body = JSON.stringify({ api_key })
    for (let n = 0; n < 3; n += 1) expect((await verify(body)).statusCode).toBe(200)
    expect((await verify(body, { 'content-encoding': 'gzip' })).statusCode).toBe(415)
    expect((await verify(body, { 'content-type': 'text/plain' })).statusCode).toBe(415)
    expect((await verify(body)).statusCode).toBe(200)
  })

  test('a rotated key says each time until when it works', async () => {
    const grace_ends_at = new Date(Date.now() + 3_600_000)
    const { api_key } = await makeApiKey(db, { tenant_id: tenant.id, grace_ends_at, expires_at: grace_ends_at })
    for (let n = 0; n < 3; n += 1) {
      const answer = await verify(JSON.stringify({ api_key }))
      expect(answer.headers['x-api-key-grace-ends']).toBe(grace_ends_at.toISOString())
      expect(answer.json()).toMatchObject({ grace_ends_at: grace_ends_at.toISOString() })
    }
  })
})

test('an answer is not kept when its key has changed since it was looked up', async () => {
  const { id, api_key } = await makeApiKey(db, { tenant_id: tenant.id })
  const body = JSON.stringify({ api_key })
  await expect.poll(() => verifier.digestOf(Buffer.from(body))).toBe(digest(body))
  const { key } = await verifier.check(api_key, undefined)
  if (key === null) throw new Error('The key is not found.')
  verifier.keepAnswer(digest(body), key, 'kept')
  expect(verifier.knownAnswer(digest(body))).toBe('kept')
  await db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute()
  await expect.poll(() => verifier.knownAnswer(digest(body)), { interval: 5, timeout: 1_000 }).toBeUndefined()
  verifier.keepAnswer(digest(body), key, 'kept too late')
  expect(verifier.knownAnswer(digest(body))).toBeUndefined()
})

type Uses = [keyId: string, count: number, lastAt: number][]

function usesOf(requests: ReturnType<typeof createKnownRequests>): Uses {
  const uses: Uses = []
  requests.takeUses((...use) => void uses.push(use))
  return uses
}

async function countOf(id: string): Promise<number> {
  const row = await db
    .selectFrom('api_key_outcomes')
    .select('count')
    .where('api_key_id', '=', id)
    .where('outcome', '=', 'valid')
    .executeTakeFirst()
  return row?.count ?? 0
}
