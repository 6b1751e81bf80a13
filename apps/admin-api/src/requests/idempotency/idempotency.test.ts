import { randomBytes, randomUUID } from 'node:crypto'
import { createApp } from '@switchboard/server/http/app'
import { createLogger } from '@switchboard/server/process/log'
import { makeTenant } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'
import { deriveKeys } from './derived-keys.ts'
import { repeatAnswers } from './idempotency.service.ts'

const api = await startTestApi()
const { db } = api
const ada = await api.signIn()
const machine = await makeToken(db, { created_by_id: ada.admin.id })
const base = '/api/v1/admin'
const UNKNOWN = '7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d'

type Post = { path?: string; body?: unknown; key?: string; token?: string; headers?: Record<string, string> }
const post = async ({ path = '/tenants', body, key, token = machine.token, headers }: Post) =>
  await api.call({
    method: 'POST',
    url: base + path,
    headers: { authorization: `Bearer ${token}`, ...(key !== undefined && { 'idempotency-key': key }), ...headers },
    ...(body !== undefined && { body }),
  })
const newTenant = () => ({ name: 'Harbor', subdomain: `t-${randomUUID().slice(0, 18)}`, tenant_type: 'product' })
const tenantsWith = async (subdomain: string) =>
  await db.selectFrom('tenants').select('id').where('subdomain', '=', subdomain).execute()
const rowOf = async (key: string, token = machine.token) =>
  await db.selectFrom('idempotency_keys').selectAll().where('id', '=', deriveKeys(token, key).id).executeTakeFirst()

test.for(['machine', 'session'] as const)(
  'the answer to a %s is repeated for the same key and body',
  async (caller) => {
    const token = caller === 'machine' ? machine.token : ada.token
    const [body, key] = [newTenant(), randomUUID()]
    const first = await post({ body, key, token })
    const { name, ...others } = body
    const again = await post({ body: { ...others, name }, key, token })
    expect([first.statusCode, first.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect(again.json()).toEqual(first.json())
    expect(await tenantsWith(body.subdomain)).toHaveLength(1)
  },
)

test('20 parallel calls with one key make one tenant', async () => {
  const [body, key] = [newTenant(), randomUUID()]
  const answers = await Promise.all(Array.from({ length: 20 }, () => post({ body, key })))
  expect(await tenantsWith(body.subdomain)).toHaveLength(1)
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set(statuses.includes(409) ? [201, 409] : [201]))
  const refused = answers.find(({ statusCode }) => statusCode === 409)
  if (refused !== undefined) expect(refused.json().detail).toMatch(/is in progress/)
  expect((await post({ body, key })).headers['idempotent-replayed']).toBe('true')
})

describe('a key is refused', () => {
  test.for([
    ['another body', {}],
    ['another path', { path: '/tenants/import' }],
  ] as const)('with %s', async ([, change]) => {
    const [body, key] = [newTenant(), randomUUID()]
    await post({ body, key })
    const other = 'path' in change ? { dry_run: true, rows: [newTenant()] } : { ...body, name: 'Other' }
    const answer = await post({ body: other, key, ...change })
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      'This Idempotency-Key was used for another call. Use a new key for each new call.',
    ])
  })

  test.for(['', 'with space', 'ü', 'x'.repeat(201)])('when it is %j', async (key) => {
    const answer = await post({ body: newTenant(), key })
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      'An Idempotency-Key has 1 to 200 visible ASCII characters.',
    ])
  })
})

test('a key of 200 characters is accepted', async () => {
  expect((await post({ body: newTenant(), key: '~'.repeat(200) })).statusCode).toBe(201)
})

test('each caller has separate keys', async () => {
  const key = randomUUID()
  const other = await makeToken(db, { created_by_id: ada.admin.id })
  const answers = [machine.token, other.token, ada.token].map((token) => post({ body: newTenant(), key, token }))
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
})

test('a key is free again after 24 hours', async () => {
  const [body, key] = [newTenant(), randomUUID()]
  await post({ body, key })
  await db
    .updateTable('idempotency_keys')
    .set({ claimed_at: new Date(api.clock.at.getTime() - 24 * 3_600_000) })
    .where('id', '=', deriveKeys(machine.token, key).id)
    .execute()
  expect((await post({ body, key })).json().detail).toBe('This subdomain is already taken.')
  expect(await rowOf(key)).toBeUndefined()
})

describe('a refusal', () => {
  test('of the rules is repeated', async () => {
    const key = randomUUID()
    const body = { email: 'linus@example.com', password: 'seven sisters walk at dusk', role: 'user' }
    const send = () => post({ path: '/tenant-admins', body: { ...body, tenant_id: UNKNOWN }, key })
    const [first, again] = [await send(), await send()]
    expect([first.statusCode, again.statusCode, again.headers['idempotent-replayed']]).toEqual([404, 404, 'true'])
    expect(again.json()).toEqual(first.json())
  })

  test('of the schema keeps the key free for the corrected body', async () => {
    const [body, key] = [newTenant(), randomUUID()]
    expect((await post({ body: { ...body, name: '' }, key })).statusCode).toBe(422)
    expect((await post({ body, key })).statusCode).toBe(201)
  })

  test('of the state keeps the key free for another attempt', async () => {
    const [body, key] = [newTenant(), randomUUID()]
    const taken = await makeTenant(db, { subdomain: body.subdomain })
    expect((await post({ body, key })).statusCode).toBe(409)
    await db.deleteFrom('tenants').where('id', '=', taken.id).execute()
    expect((await post({ body, key })).statusCode).toBe(201)
  })

  test('of a failed server keeps the key free', async () => {
    const key = randomUUID()
    const task = { task_id: UNKNOWN, super_admin_id: ada.admin.id, timestamp: '2026-11-20T12:00:00.000Z' }
    const answer = await post({ path: `/tasks/${UNKNOWN}/run`, body: task, key })
    expect(answer.statusCode).toBe(502)
    expect(await rowOf(key)).toBeUndefined()
  })
})

describe('after the loss of a process', () => {
  const lost = async (key: string) =>
    await db
      .updateTable('idempotency_keys')
      .set({ status: null, answer: null, claimed_at: new Date(api.clock.at.getTime() - 121_000) })
      .where('id', '=', deriveKeys(machine.token, key).id)
      .execute()

  test('a committed change is not repeated, though its answer is lost', async () => {
    const [body, key] = [newTenant(), randomUUID()]
    await post({ body, key })
    await lost(key)
    const answer = await post({ body, key })
    expect([answer.statusCode, answer.json().detail]).toEqual([409, expect.stringMatching(/its answer was lost/)])
    expect(await tenantsWith(body.subdomain)).toHaveLength(1)
  })

  test('a change that was not committed is made by the next call', async () => {
    const [body, key] = [newTenant(), randomUUID()]
    await post({ body, key })
    await db.deleteFrom('tenants').where('subdomain', '=', body.subdomain).execute()
    await lost(key)
    await db.updateTable('idempotency_keys').set({ request_id: 'lost' }).where('status', 'is', null).execute()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post({ body, key })))
    expect(answers.map(({ statusCode }) => statusCode)).toContain(201)
    expect(await tenantsWith(body.subdomain)).toHaveLength(1)
  })
})

test('a secret in a stored answer is encrypted and repeated', async () => {
  const key = randomUUID()
  const body = { tenant_id: (await makeTenant(db)).id, name: 'Shop' }
  const first = await post({ path: '/api-keys', body, key })
  const again = await post({ path: '/api-keys', body, key })
  expect(first.json().api_key).toMatch(/^sb_live_/)
  expect(again.json()).toEqual(first.json())
  const { answer } = (await rowOf(key)) ?? {}
  expect(answer?.toString('latin1')).not.toContain('sb_live_')
  expect(() => deriveKeys(ada.token, key).decrypt(answer ?? Buffer.alloc(0), 201)).toThrow()
  expect(() => deriveKeys(machine.token, key).decrypt(answer ?? Buffer.alloc(0), 200)).toThrow()
})

test('a large answer is stored before its compression', async () => {
  const rows = await Promise.all(Array.from({ length: 40 }, () => makeTenant(db)))
  const body = { action: 'suspend', ids: rows.map(({ id }) => id) }
  const send = () => post({ path: '/tenants/bulk', body, key: 'large', headers: { 'accept-encoding': 'gzip' } })
  const [first, again] = [await send(), await send()]
  expect([first.headers['content-encoding'], again.headers['content-encoding']]).toEqual(['gzip', 'gzip'])
  expect(again.rawPayload.equals(first.rawPayload)).toBe(true)
})

test('a large answer to a call without effect is not stored', async () => {
  const key = randomUUID()
  const body = { action: 'suspend', ids: Array.from({ length: 100 }, () => randomUUID()) }
  const send = () => post({ path: '/tenants/bulk', body, key })
  const [first, again] = [await send(), await send()]
  expect(first.rawPayload.length).toBeGreaterThan(10_000)
  expect([first.statusCode, again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 200, undefined])
  expect(await rowOf(key)).toBeUndefined()
})

test('a caller whose stored answers take too many bytes is refused before the call takes effect', async () => {
  const app = await createApp({ title: 'Test', db, log: createLogger('silent'), trustProxy: false })
  repeatAnswers(app, { db, now: () => api.clock.at, randomBytes }, 1_000)
  let calls = 0
  app.post('/things', async () => ({ call: (calls += 1) }))
  const send = async (token: string, key?: string) =>
    await app.inject({
      method: 'POST',
      url: '/things',
      headers: { authorization: `Bearer ${token}`, ...(key !== undefined && { 'idempotency-key': key }) },
    })
  const keys = Array.from({ length: 6 }, () => randomUUID())
  const answers = []
  for (const key of keys) answers.push(await send(machine.token, key))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429, 429, 429])
  expect([answers[3]?.json().detail, answers[3]?.headers['retry-after']]).toEqual([
    'Too many answers are kept for your Idempotency-Keys. Send the call without a key, or try again in 24 hours.',
    String(24 * 3_600),
  ])
  expect(calls).toBe(3)
  expect((await send(machine.token, keys[0])).json()).toEqual({ call: 1 })
  expect((await send(machine.token)).statusCode).toBe(200)
  expect((await send(ada.token, keys[5])).statusCode).toBe(200)
  await app.close()
})

test('an export ignores the key', async () => {
  const key = randomUUID()
  for (const path of ['/tenants/export', '/tenants/export'])
    expect((await post({ path, key })).headers['idempotent-replayed']).toBeUndefined()
  expect(await rowOf(key)).toBeUndefined()
})
