import { deleteRecord, makeApiKey, makeSecret, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { createLogger } from '@switchboard/server/process/log'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'
import { withinASecond } from '#src/testing/within-a-second.ts'

const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const logLines: string[] = []
const log = createLogger('info', { write: (line) => void logLines.push(line) })
const build = () => buildAiApi(testDeps({ db, directUrl: databaseUrl, log }))
const app = await build()
afterAll(async () => {
  await app.close()
  await drop()
})

const tenant = await makeTenant(db)
type Fields = Partial<Parameters<typeof makeApiKey>[1]>
const newKey = (fields: Fields = {}) => makeApiKey(db, { tenant_id: tenant.id, ...fields })
const verify = (api_key?: string, origin?: string, at = app) =>
  at.inject({ method: 'POST', url: '/v1/keys/verify', payload: { api_key, origin } })
const authorize = (headers: Record<string, string>) => app.inject({ url: '/v1/keys/authorize', headers })
/** Calls of all hours: an hour may end during a test. */
const countsOf = async (id: string) => {
  const rows = await db
    .selectFrom('api_key_calls')
    .select(['outcome', sql<number>`sum(count)`.as('count')])
    .where('api_key_id', '=', id)
    .groupBy('outcome')
    .execute()
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}
const lastValidAt = async (id: string) => {
  const { last_at } = await db
    .selectFrom('api_key_calls')
    .select('last_at')
    .where('api_key_id', '=', id)
    .where('outcome', '=', 'valid')
    .orderBy('last_at', 'desc')
    .executeTakeFirstOrThrow()
  return last_at
}
const statusBecomes = async (api_key: string, status: number) =>
  await withinASecond(async () => expect((await verify(api_key)).statusCode).toBe(status))
const thisHour = () => sql<Date>`date_trunc('hour', now(), 'UTC')`
const ago = (ms: number) => new Date(Date.now() - ms)
const ORIGINS = { allowed_origins: ['https://shop.example', 'https://*.shop.example'] }

test.for(['live', 'test'] as const)(
  'a valid %s key is answered with its tenant, id and environment',
  async (environment) => {
    const key = await newKey({ environment })
    for (let n = 0; n < 3; n += 1) {
      const answer = await verify(key.api_key)
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        { tenant_id: tenant.id, api_key_id: key.id, environment, grace_ends_at: null },
      ])
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  },
)

describe('the answer to an unusable key does not reveal the reason', () => {
  const minute = 60_000
  const wrong: [string, () => Promise<string | undefined>][] = [
    ['missing', async () => undefined],
    ['empty', async () => ''],
    ['malformed', async () => 'sb_live_x'],
    ['with a wrong check', async () => `${(await newKey()).api_key.slice(0, -6)}000000`],
    ['unknown', async () => 'sb_live_abcdefghijklmnopqrstuvwxyz01232LolCm'],
    ['revoked', async () => (await newKey({ is_active: false, revoked_at: ago(0) })).api_key],
    [
      'deleted',
      async () => {
        const key = await newKey()
        await deleteRecord(db, 'api_keys', key.id)
        return key.api_key
      },
    ],
    [
      'of an inactive tenant',
      async () => (await newKey({ tenant_id: (await makeTenant(db, { status: 'inactive' })).id })).api_key,
    ],
    ['disabled', async () => (await newKey({ is_active: false })).api_key],
    ['expired', async () => (await newKey({ expires_at: ago(minute) })).api_key],
    ['expired just now', async () => (await newKey({ expires_at: ago(0) })).api_key],
  ]
  test.for(wrong)('%s', async ([, secretOf]) => {
    const secret = await secretOf()
    for (let n = 0; n < 2; n += 1) {
      const answer = await verify(secret)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        401,
        { detail: 'Invalid API key', request_id: answer.headers['x-request-id'], code: 'unauthorized' },
      ])
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })
})

test('the first refusal in the order wins, and an unusable key reveals nothing about origins', async () => {
  const inactive = await makeTenant(db, { status: 'inactive' })
  const everything = { expires_at: ago(1), is_active: false, ...ORIGINS }
  const cases: [Fields, string][] = [
    [{ ...everything, tenant_id: inactive.id, revoked_at: ago(0) }, 'revoked'],
    [{ ...everything, tenant_id: inactive.id }, 'tenant_inactive'],
    [everything, 'disabled'],
    [{ ...everything, is_active: true }, 'expired'],
    [ORIGINS, 'origin_refused'],
  ]
  const ids: string[] = []
  for (const [fields, outcome] of cases) {
    const { id, api_key } = await newKey(fields)
    expect((await verify(api_key, 'https://evil.example')).statusCode).toBe(outcome === 'origin_refused' ? 403 : 401)
    ids.push(id)
  }
  const counted = () => Promise.all(ids.map(countsOf))
  await expect.poll(counted).toEqual(cases.map(([, outcome]) => ({ [outcome]: 1 })))
})

test('an origin must be in the list of the key', async () => {
  const { api_key } = await newKey(ORIGINS)
  expect((await verify(api_key, 'https://shop.example')).statusCode).toBe(200)
  expect((await verify(api_key, 'https://eu.shop.example')).statusCode).toBe(200)
  for (const origin of [undefined, 'null', 'https://shop.example.evil.test', 'http://shop.example']) {
    const answer = await verify(api_key, origin)
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { detail: 'Origin not allowed' }])
  }
})

test.each([
  ['a trusted cache', databaseUrl],
  // The listener cannot connect, so the cache is never trusted.
  ['an untrusted cache', 'postgresql://127.0.0.1:1/none'],
])('with %s, each of many concurrent requests gets the answer for its key', async (_case, directUrl) => {
  const at = await buildAiApi(testDeps({ db, directUrl, log: createLogger('silent') }))
  const keys = await Promise.all(
    Array.from({ length: 150 }, async (_, n) => {
      if (n % 3 === 0) return { api_key: makeSecret().api_key, expected: 401 }
      const key = await newKey({ tenant_id: n % 2 === 0 ? tenant.id : (await makeTenant(db)).id, is_active: n % 5 > 0 })
      return { api_key: key.api_key, expected: n % 5 > 0 ? [key.tenant_id, key.id] : 401 }
    }),
  )
  for (let round = 0; round < 3; round += 1) {
    // Each key twice, in another order in each round.
    const requests = [...keys, ...keys].map((key, n, all) => all[(n * 77 + round) % all.length] ?? key)
    const answers = await Promise.all(requests.map(({ api_key }) => verify(api_key, undefined, at)))
    const results = answers.map((answer) => {
      const { tenant_id, api_key_id } = answer.json()
      return answer.statusCode === 200 ? [tenant_id, api_key_id] : answer.statusCode
    })
    expect(results).toEqual(requests.map(({ expected }) => expected))
  }
  await at.close()
})

test('repeated requests get the same answer and headers, and each one is counted', async () => {
  const { id, api_key } = await newKey()
  const answers = [await verify(api_key), await verify(api_key), await verify(api_key)]
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
  await expect.poll(() => countsOf(id)).toEqual({ valid: 3 })
})

test.for([{ 'content-encoding': 'gzip' }, { 'content-type': 'text/plain' }])(
  'a cached key in a body with %j is refused',
  async (headers) => {
    const { api_key } = await newKey()
    expect((await verify(api_key)).statusCode).toBe(200)
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/keys/verify',
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ api_key }),
    })
    expect(answer.statusCode).toBe(415)
  },
)

test('a rotated key is answered with the end of its grace period every time', async () => {
  const ends = new Date(Date.now() + 3_600_000)
  const { api_key } = await newKey({ grace_ends_at: ends, expires_at: ends })
  for (let n = 0; n < 3; n += 1) {
    const answer = await verify(api_key)
    expect(answer.headers['x-api-key-grace-ends']).toBe(ends.toISOString())
    expect(answer.json()).toMatchObject({ grace_ends_at: ends.toISOString() })
  }
})

describe('a change reaches a process that has cached the key within a second', () => {
  const changes: [string, (id: string, tenantId: string) => Promise<unknown>][] = [
    ['toggled', (id) => db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute()],
    ['deleted', (id) => db.deleteFrom('api_keys').where('id', '=', id).execute()],
    [
      'ended early',
      (id) =>
        db
          .updateTable('api_keys')
          .set({ expires_at: ago(1) })
          .where('id', '=', id)
          .execute(),
    ],
    [
      'tenant inactive',
      (_, id) => db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', id).execute(),
    ],
    ['tenant deleted', (_, id) => db.deleteFrom('tenants').where('id', '=', id).execute()],
  ]
  test.for(changes)('%s', async ([, change]) => {
    const owner = await makeTenant(db)
    const key = await newKey({ tenant_id: owner.id })
    for (let n = 0; n < 3; n += 1) expect((await verify(key.api_key)).statusCode).toBe(200)
    await change(key.id, owner.id)
    await statusBecomes(key.api_key, 401)
  })

  test('enabled again', async () => {
    const key = await newKey({ is_active: false })
    expect((await verify(key.api_key)).statusCode).toBe(401)
    await db.updateTable('api_keys').set({ is_active: true }).where('id', '=', key.id).execute()
    await statusBecomes(key.api_key, 200)
  })
})

test('a cached key expires on time, without a notification', async () => {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  const ends = Date.parse(rows[0]?.now ?? '') + 2_000
  const key = await newKey({ expires_at: new Date(ends) })
  // Refused when the request is sent after the end. The clock is at most a heartbeat ahead, 0.8 s while the cache is trusted.
  for (let answeredAt = 0; answeredAt < ends;) {
    const { statusCode } = await verify(key.api_key)
    answeredAt = Date.now()
    if (answeredAt < ends - 800) expect(statusCode).toBe(200)
  }
  expect((await verify(key.api_key)).statusCode).toBe(401)
})

test('without its listener the cache is not trusted, and the listener reconnects on its own', async () => {
  const key = await newKey()
  await verify(key.api_key)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchboard listener'
    and datname = current_database()`.execute(db)
  await db.updateTable('api_keys').set({ is_active: false }).where('id', '=', key.id).execute()
  await statusBecomes(key.api_key, 401)
  const other = await newKey()
  await expect.poll(async () => (await verify(other.api_key)).statusCode).toBe(200)
})

describe('usage', () => {
  test('is sent to the database within two seconds, exactly', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const fresh = await build()
    onTestFinished(async () => {
      await fresh.close()
      vi.useRealTimers()
    })
    const key = await newKey()
    const before = Date.now()
    await Promise.all(Array.from({ length: 500 }, () => verify(key.api_key, undefined, fresh)))
    vi.advanceTimersByTime(2_000)
    await expect.poll(() => countsOf(key.id)).toEqual({ valid: 500 })
    const lastAt = Date.parse(await lastValidAt(key.id))
    expect(lastAt).toBeGreaterThanOrEqual(before - 50)
    expect(lastAt).toBeLessThanOrEqual(Date.now())
  })

  test('is written when the process stops', async () => {
    const key = await newKey()
    const other = await build()
    for (let n = 0; n < 5; n += 1) await verify(key.api_key, undefined, other)
    await other.close()
    expect(await countsOf(key.id)).toEqual({ valid: 5 })
  })

  test('never moves backwards', async () => {
    const future = new Date(Date.now() + 3_600_000)
    const key = await newKey()
    await db
      .insertInto('api_key_calls')
      .values({ api_key_id: key.id, since: thisHour(), outcome: 'valid', count: 1, last_at: future })
      .execute()
    await verify(key.api_key)
    await expect.poll(() => countsOf(key.id)).toEqual({ valid: 2 })
    expect(await lastValidAt(key.id)).toBe(future.toISOString())
  })
})

test('the log and the metrics contain no secret', async () => {
  const key = await newKey()
  await verify(key.api_key)
  await authorize({ authorization: `Bearer ${key.api_key}` })
  const metrics = await app.metrics.metrics()
  expect(logLines.join('') + metrics).not.toContain(key.api_key.slice(12, -4))
  expect(metrics).toMatch(/api_key_checks_total\{environment="live",outcome="valid"\} \d+/)
  expect(metrics).toMatch(/api_key_checks_total\{environment="unknown",outcome="missing"\} \d+/)
})
