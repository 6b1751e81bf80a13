import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRuntime, expressApiKey, fastifyApiKey, honoApiKey, keyOf } from '@switchboard/client/runtime'
import { LINK_REFUSED } from '@switchboard/contract/links'
import { SCOPE_PRESETS } from '@switchboard/contract/tokens/scopes'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { makeApiKey, makeTenant, makeUser, makeUserInvitation } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startAiApi } from '#tests/server-process.ts'
import { portOf } from '#tests/proxies.ts'
import { lastOtherMs } from './effective.ts'
import { restartablePostgres } from './restartable-postgres.ts'

// The client of ai-api against a real server, also while its database is away.

/** A deactivated key is refused after this time. */
const EFFECTIVE_MS = 1_000
/** Longer than the tests. */
const LONG_SECONDS = 3_600

const postgres = await restartablePostgres()
const db = connect(postgres.url, { onLost: () => {} })
await migrate(db)
const server = startAiApi({ databaseUrl: postgres.url })
let url = ''

beforeAll(async () => {
  url = await server.ready()
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await db.destroy()
  await postgres.remove()
})

const tenant = await makeTenant(db, { goal: 'book a table' })
const maker = await makeUser(db)
const { token } = await makeToken(db, { created_by_id: maker.id, scopes: [...SCOPE_PRESETS.runtime] })
const makeKey = async (fields = {}) => await makeApiKey(db, { tenant_id: tenant.id, ...fields })
const deactivate = async (id: string) =>
  await db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute()

/** A runtime, and the failures that it reports. */
function newRuntime(options: Partial<Parameters<typeof createRuntime>[0]> = {}) {
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  return { errors, ...createRuntime({ url, token, timeoutMs: 60_000, onError, ...options }) }
}
const requestWith = (headers: Record<string, string>) => new Request('http://runtime.example/chat', { headers })

describe('a key', () => {
  test('is read from either header, with the origin', async () => {
    const { verifyRequest } = newRuntime()
    const { id, api_key } = await makeKey({ allowed_origins: ['https://shop.example'] })
    const [origin, key] = ['https://shop.example', { tenant_id: tenant.id, api_key_id: id, environment: 'live' }]
    for (const headers of [
      { 'x-api-key': api_key },
      { authorization: `Bearer ${api_key}` },
      { 'x-api-key': api_key, authorization: 'Bearer of-a-user' },
    ])
      expect(await verifyRequest(requestWith({ origin, ...headers }))).toMatchObject({
        allowed: true,
        key: { ...key, tenant: { name: tenant.name } },
      })
    expect(await verifyRequest(requestWith({ origin: 'https://other.example', 'x-api-key': api_key }))).toEqual({
      allowed: false,
      status: 403,
      detail: 'Origin not allowed',
      code: 'origin_refused',
    })
  })

  test.for([
    ['', 'missing'],
    ['x', 'malformed'],
    ['x'.repeat(5_000), 'malformed'],
  ] as const)('that is no key is refused: %#', async ([api_key, code]) => {
    const { verifyRequest, errors } = newRuntime()
    expect(await verifyRequest(requestWith({ 'x-api-key': api_key }))).toEqual({
      allowed: false,
      status: 401,
      detail: 'Invalid API key',
      code,
    })
    expect(errors).toEqual([])
  })

  test('is not blamed for a refused token', async () => {
    const { verifyKey, errors } = newRuntime({ token: 'sb_svc_nonsense' })
    expect(await verifyKey((await makeKey()).api_key)).toMatchObject({ allowed: false, status: 503, code: null })
    expect(errors).toMatchObject([{ status: 401, message: 'Invalid service token' }])
  })

  test('is refused within a second of its deactivation', async () => {
    const { verifyKey } = newRuntime()
    const { id, api_key } = await makeKey()
    expect(await verifyKey(api_key)).toMatchObject({ allowed: true })
    await deactivate(id)
    const statusNow = async () => {
      const verdict = await verifyKey(api_key)
      return verdict.allowed ? 200 : verdict.status
    }
    expect(await lastOtherMs(statusNow, 401)).toBeLessThan(EFFECTIVE_MS)
  })

  test('is not checked again for the seconds of the cache, for the same origin', async () => {
    const { verifyKey } = newRuntime({ keys: { cacheSeconds: LONG_SECONDS } })
    const { id, api_key } = await makeKey()
    expect(await verifyKey(api_key)).toMatchObject({ allowed: true })
    await deactivate(id)
    await expect.poll(async () => await newRuntime().verifyKey(api_key)).toMatchObject({ allowed: false })
    expect(await verifyKey(api_key)).toMatchObject({ allowed: true, isStale: false })
    expect(await verifyKey(api_key, 'https://shop.example')).toMatchObject({ allowed: false, status: 401 })
  })

  test('is remembered until the end of its grace period at most', async () => {
    const { verifyKey } = newRuntime({ keys: { cacheSeconds: LONG_SECONDS } })
    const ends = new Date(Date.now() + 6_000)
    const { api_key } = await makeKey({ grace_ends_at: ends, expires_at: ends })
    expect(await verifyKey(api_key)).toMatchObject({ allowed: true })
    await expect.poll(async () => await verifyKey(api_key)).toMatchObject({ allowed: false, status: 401 })
  })
})

describe('a prompt', () => {
  /** Saves a text, and waits until ai-api has heard of it. */
  const publish = async (template: string, declared = {}): Promise<void> => {
    const { rows } = await sql<{ version: number }>`
      with live as (update prompt_templates set version = version + 1 where tenant_id is null returning id, version)
      insert into prompt_versions (template_id, version, template, declared_variables)
      select id, version, ${template}, ${JSON.stringify(declared)} from live
      returning version`.execute(db)
    await expect.poll(async () => (await newRuntime().prompt({ tenant_id: tenant.id })).version).toBe(rows[0]?.version)
  }

  test('is the one of the tenant', async () => {
    const other = await makeTenant(db, { goal: 'sell shoes' })
    const { prompt } = newRuntime()
    const textOf = async (tenant_id: string) => (await prompt({ tenant_id })).rendered_content
    for (const { id, goal } of [tenant, other, tenant]) expect(await textOf(id)).toContain(goal)
  })

  test('of the tenant of an API key needs no tenant', async () => {
    const { prompt } = newRuntime({ token: (await makeKey()).api_key })
    expect((await prompt({})).rendered_content).toContain('book a table')
  })

  test('is served from the cache at once, and refreshed behind the answer', async () => {
    const { prompt } = newRuntime({ prompts: { cacheSeconds: 0 } })
    await publish('Old: {{ goal }}')
    expect(await prompt({ tenant_id: tenant.id })).toMatchObject({ source: 'server' })
    await publish('New: {{ goal }}')
    const work: Promise<unknown>[] = []
    const waitUntil = (refresh: Promise<unknown>) => work.push(refresh)
    const text = async () => (await prompt({ tenant_id: tenant.id, waitUntil })).rendered_content
    expect(await text()).toBe('Old: book a table')
    await Promise.all(work)
    // The answer to the second refresh is 304.
    expect([await text(), await Promise.all(work).then(text)]).toEqual(['New: book a table', 'New: book a table'])
  })

  test('is rendered with values for declared variables, each set of values with a cached text', async () => {
    await publish('On {{ page }}', { page: 'home' })
    const { prompt } = newRuntime()
    const on = async (variables?: Record<string, string>) => {
      const { rendered_content, source } = await prompt({ tenant_id: tenant.id, ...(variables && { variables }) })
      return [rendered_content, source]
    }
    expect([await on(), await on({ page: 'prices & more' })]).toEqual([
      ['On home', 'server'],
      ['On prices & more', 'server'],
    ])
    expect(await on({ page: 'prices & more' })).toEqual(['On prices & more', 'cache'])
    await expect(on({ tone: 'calm' })).rejects.toMatchObject({ status: 422 })
  })

  test('is not given after a refusal, not even a cached one or the fallback', async () => {
    const { id, api_key } = await makeKey()
    const { prompt, errors } = newRuntime({ token: api_key, prompts: { cacheSeconds: 0 } })
    const request = { tenant_id: tenant.id, fallback: 'Help.' }
    expect(await prompt(request)).toMatchObject({ source: 'server' })
    await deactivate(id)
    const answer = async () => await prompt(request).catch((error: unknown) => error)
    await expect.poll(answer).toMatchObject({ status: 401, message: 'Invalid API key' })
    expect(errors).toMatchObject([{ status: 401 }])
    await expect(newRuntime().prompt({ ...request, prompt_type: 'none' })).rejects.toMatchObject({ status: 404 })
  })
})

test('a user is verified, and a refusal has the sentence for the person', async () => {
  const { verifyUser } = newRuntime()
  const password = 'seven sisters walk at dusk'
  const password_hash = await (await createPasswords()).hash(password)
  const { id, email } = await makeUser(db, { role: 'manager', tenant_id: tenant.id, password_hash })
  const about = { email, tenant_id: tenant.id, client_address: '203.0.113.7' }
  expect(await verifyUser({ ...about, password })).toMatchObject({ verified: true, user: { id, email } })
  expect(await verifyUser({ ...about, password: 'wrong' })).toEqual({
    verified: false,
    status: 401,
    detail: 'Invalid email or password',
  })
  const unknown = newRuntime({ token: 'sb_svc_nonsense' })
  await expect(unknown.verifyUser({ ...about, password })).rejects.toThrow('Invalid service token')
})

test('a user changes the password by the current one', async () => {
  const { changePassword, verifyUser } = newRuntime()
  const [password, new_password] = ['seven sisters walk at dusk', 'kettles under a plum tree']
  const password_hash = await (await createPasswords()).hash(password)
  const { id, email } = await makeUser(db, { role: 'manager', tenant_id: tenant.id, password_hash })
  const about = { email, tenant_id: tenant.id, client_address: '203.0.113.8' }
  expect(await changePassword({ ...about, password, new_password: 'password1' })).toEqual({
    verified: false,
    status: 422,
    detail: expect.stringContaining('This password is too common or too easy to guess.'),
  })
  expect(await changePassword({ ...about, password, new_password })).toMatchObject({ verified: true, user: { id } })
  expect(await verifyUser({ ...about, password })).toMatchObject({ verified: false, status: 401 })
  expect(await verifyUser({ ...about, password: new_password })).toMatchObject({ verified: true })
})

test('an invited user chooses the first password, with each link once', async () => {
  const { acceptInvitation, verifyUser } = newRuntime()
  const user = await makeUser(db, { role: 'manager', tenant_id: tenant.id })
  await makeUserInvitation(db, user, 'the-token-of-the-link')
  const about = { tenant_id: tenant.id, client_address: '203.0.113.9' }
  const answer = { ...about, token: 'the-token-of-the-link', new_password: 'kettles under a plum tree' }
  expect(await acceptInvitation(answer)).toMatchObject({ verified: true, user: { id: user.id } })
  expect(await acceptInvitation(answer)).toEqual({ verified: false, status: 401, detail: LINK_REFUSED })
  const credentials = { ...about, email: user.email, password: answer.new_password }
  expect(await verifyUser(credentials)).toMatchObject({ verified: true })
})

describe('a middleware', () => {
  const answers = async (address: string, headers: Record<string, string>) => {
    const answer = await fetch(address, { headers })
    return [answer.status, await answer.json()]
  }
  const expectChecks = async (address: string) => {
    expect(await answers(address, { 'x-api-key': (await makeKey()).api_key })).toEqual([200, { tenant: tenant.id }])
    expect(await answers(address, {})).toEqual([401, { detail: 'Invalid API key' }])
  }

  test('of Express answers requests of Node', async () => {
    const check = expressApiKey(newRuntime())
    const app = createServer((request, response) => {
      void check(request, response, () => response.end(JSON.stringify({ tenant: keyOf(request).tenant_id })))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void app.close())
    await once(app, 'listening')
    await expectChecks(`http://127.0.0.1:${portOf(app.address())}`)
  })

  test('of Fastify answers before the handler', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    app.addHook('onRequest', fastifyApiKey(newRuntime()))
    app.get('/', (request) => ({ tenant: keyOf(request).tenant_id }))
    await expectChecks(await app.listen({ port: 0, host: '127.0.0.1' }))
  })

  test('of Hono answers requests of the Fetch API', async () => {
    const check = honoApiKey(newRuntime())
    const accepted = { req: { raw: requestWith({ 'x-api-key': (await makeKey()).api_key }) } }
    const next = vi.fn<() => Promise<void>>()
    expect(await check(accepted, next)).toBeUndefined()
    expect([next.mock.calls.length, keyOf(accepted).tenant_id]).toEqual([1, tenant.id])
    const refusal = await check({ req: { raw: requestWith({}) } }, next)
    expect([refusal?.status, refusal?.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(next).toHaveBeenCalledOnce()
  })

  test('throws for a request that it has not seen', () => {
    expect(() => keyOf({})).toThrow('The request did not pass the check of API keys.')
  })
})

test('while the database is away, caches and fallbacks answer, and afterwards the server', async () => {
  const { api_key } = await makeKey()
  const patient = newRuntime({ keys: { staleIfErrorSeconds: LONG_SECONDS }, prompts: { cacheSeconds: 0 } })
  const strict = newRuntime()
  const request = { tenant_id: tenant.id }
  await patient.prompt(request)
  for (const { verifyKey } of [patient, strict]) expect(await verifyKey(api_key)).toMatchObject({ allowed: true })

  await postgres.kill('SIGKILL')
  // Until ai-api has noticed.
  await expect.poll(async () => await strict.verifyKey(api_key)).toMatchObject({ allowed: false, status: 503 })
  expect(await patient.verifyKey(api_key)).toMatchObject({ allowed: true, isStale: true })
  expect(await patient.verifyKey(`${api_key}x`)).toMatchObject({ allowed: false })
  expect(await patient.prompt(request)).toMatchObject({ source: 'cache' })
  expect(await strict.prompt({ ...request, fallback: 'Help.' })).toEqual({
    rendered_content: 'Help.',
    version: null,
    addendum_version: null,
    source: 'fallback',
  })
  await expect(strict.prompt(request)).rejects.toMatchObject({ status: 503 })
  expect(strict.errors.at(-1)).toMatchObject({ name: 'SwitchboardError', status: 503 })

  await postgres.start()
  await expect.poll(async () => await strict.verifyKey(api_key)).toMatchObject({ allowed: true })
  await expect.poll(async () => await strict.prompt(request)).toMatchObject({ source: 'server' })
})
