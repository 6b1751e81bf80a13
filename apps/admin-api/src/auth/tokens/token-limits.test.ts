import { RATE_LIMITS } from '@switchboard/contract/auth/rate-limits'
import { makeToken } from '@switchboard/testing/token-factory'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi({ rateLimits: { ...RATE_LIMITS, export: 2 } })
const ada = await api.signIn()
const newToken = async () => (await makeToken(api.db, { created_by_id: ada.admin.id })).token
const call = async (token: string, path: string, method: 'GET' | 'POST' = 'GET') =>
  await api.call({ method, url: `/api/v1/admin${path}`, headers: { authorization: `Bearer ${token}` } })

// The counter reads the time of the process. On a slow machine the calls take longer than a minute.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a token has 600 calls a minute, and each answer says how many are left', async () => {
  const [token, other] = [await newToken(), await newToken()]
  const first = await call(token, '/auth/me')
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"token";q=600;w=60',
    ratelimit: expect.stringMatching(/^"token";r=599;t=60$/),
  })
  for (let n = 1; n < 600; n += 1) await call(token, '/auth/me')
  const refused = await call(token, '/auth/me')
  expect([refused.statusCode, refused.json().detail]).toEqual([
    429,
    expect.stringMatching(/^Too many calls\. Try again in \d+ seconds?\.$/),
  ])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.headers.ratelimit).toMatch(/^"token";r=0;t=/)
  expect((await call(other, '/auth/me')).statusCode).toBe(200)
})

test('the limits of a session hold for a token too', async () => {
  const token = await newToken()
  const statuses = []
  for (let n = 0; n < 3; n += 1) statuses.push((await call(token, '/tenants/export', 'POST')).statusCode)
  expect(statuses).toEqual([200, 200, 429])
})

test('a session has no such headers', async () => {
  const answer = await ada.call({ method: 'GET', url: '/api/v1/admin/auth/me' })
  expect(answer.headers.ratelimit).toBeUndefined()
})
