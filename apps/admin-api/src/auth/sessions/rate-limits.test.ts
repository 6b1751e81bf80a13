import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { CSV_TYPE } from '@switchboard/contract/csv/exports'
import { makeTenant } from '@switchboard/testing/factories'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type $ZodType, toJSONSchema } from 'zod/v4/core'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi({
  rateLimits: {
    export: 2,
    whole_list: 2,
    selection: 2,
    preview: 2,
    password_check: 2,
    run: 2,
    stream: 2,
    change: 2,
  },
})
const base = '/api/v1/admin'
const { id: tenantId } = await makeTenant(api.db)
const unknownId = '00000000-0000-4000-8000-000000000000'
const password = { password: 'seven sisters walk at dusk', owner: 'super_admin', names: [] }

type Session = Awaited<ReturnType<typeof api.signIn>>
type Kind = [noun: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: object]

const KINDS: Kind[] = [
  ['exports', 'POST', '/tenants/export'],
  ['whole lists', 'GET', '/tenants'],
  ['selections', 'GET', '/tenants/ids'],
  ['previews', 'POST', '/prompts/preview', { template: 'Help with {{ goal }}.' }],
  ['password checks', 'POST', '/passwords/check', password],
  ['runs', 'POST', `/tasks/${unknownId}/run`],
  ['live streams', 'GET', '/events/stream'],
  ['changes', 'PUT', `/tenants/${tenantId}`, { goal: 'sell' }],
]

const send = async (session: Session, [, method, path, body]: Kind) =>
  await session.call({ method, url: base + path, ...(body && { body }) })

// The counter reads the time of the process; everything else runs in real time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test.for(KINDS)('too many %s are refused for the rest of the minute, but only in this session', async (kind) => {
  const [ada, grace] = [await api.signIn(), await api.signIn()]
  for (let n = 0; n < 2; n += 1) expect((await send(ada, kind)).statusCode).not.toBe(429)
  vi.setSystemTime(Date.now() + 40_000)
  const refused = await send(ada, kind)
  const detail = `Too many ${kind[0]}. Try again in 20 seconds.`
  expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toMatchObject([429, { detail }, '20'])
  expect((await send(grace, kind)).statusCode).not.toBe(429)
  expect((await api.refusedTo(ada.admin.id)).filter(({ reason }) => reason === detail)).toEqual([])

  vi.setSystemTime(Date.now() + 19_500)
  expect((await send(ada, kind)).json()).toMatchObject({ detail: `Too many ${kind[0]}. Try again in 1 second.` })
  vi.setSystemTime(Date.now() + 500)
  expect((await send(ada, kind)).statusCode).not.toBe(429)
})

test('a session at all its limits still reads pages, searches, sees health and signs out', async () => {
  const ada = await api.signIn()
  for (const kind of KINDS) for (let n = 0; n < 3; n += 1) await send(ada, kind)
  for (let n = 0; n < 5; n += 1) {
    for (const url of ['/tenants?limit=10', `/api-keys/${tenantId}`, '/analytics/attention', '/auth/me'])
      expect((await ada.call({ method: 'GET', url: base + url })).statusCode).toBe(200)
    const found = await ada.call({ method: 'POST', url: `${base}/search`, body: { q: 'harbor' } })
    expect(found.statusCode).toBe(200)
    for (const url of ['/healthz', '/readyz']) expect((await ada.call({ method: 'GET', url })).statusCode).toBe(200)
  }
  expect((await ada.call({ method: 'POST', url: `${base}/auth/logout` })).statusCode).toBe(204)
})

test('a bulk change counts once', async () => {
  const ada = await api.signIn()
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await makeTenant(api.db)).id))
  const bulk = { method: 'POST', url: `${base}/tenants/bulk`, body: { action: 'suspend', ids } } as const
  const statuses = [await ada.call(bulk), await ada.call(bulk), await ada.call(bulk)].map((one) => one.statusCode)
  expect(statuses).toEqual([200, 200, 429])
})

test('the limit of exports applies to every CSV file, the limit of whole lists to every list with pages', () => {
  const limitsWhere = (isSo: (endpoint: Endpoint) => boolean) => [
    ...new Set(ADMIN_API_ENDPOINTS.filter(isSo).map(({ config }) => config?.limit)),
  ]
  expect(limitsWhere(({ schema }) => schema.produces?.includes(CSV_TYPE) === true)).toEqual(['export'])
  const hasPages = (query: $ZodType) =>
    'cursor' in (toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties ?? {})
  expect(limitsWhere(({ schema }) => schema.querystring !== undefined && hasPages(schema.querystring))).toEqual([
    'whole_list',
  ])
})
