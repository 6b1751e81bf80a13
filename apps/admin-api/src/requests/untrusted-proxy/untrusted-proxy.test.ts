import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const url = '/api/v1/admin/analytics/attention'
const FORWARDED = { 'x-forwarded-for': '203.0.113.9' }

test('a proxy outside TRUST_PROXY is shown for an hour and logged once', async () => {
  const { call, signIn, minutesLater, logLines } = await startTestApi()
  const admin = await signIn()
  const shown = async () => (await admin.call({ method: 'GET', url })).json().untrusted_proxy
  expect(await shown()).toBeNull()

  for (let n = 0; n < 3; n += 1) await call({ method: 'GET', url: '/api/v1/admin/auth/me', headers: FORWARDED })
  expect(await shown()).toEqual({
    address: '127.0.0.1',
    seen_at: '2026-11-20T12:00:00.000Z',
    advice: expect.stringMatching(/set TRUST_PROXY=127\.0\.0\.1\.$/),
  })
  const warnings = logLines.filter((line) => line.includes('TRUST_PROXY'))
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', address: '127.0.0.1' }])
  minutesLater(61)
  expect(await shown()).toBeNull()
})

test('a proxy that only sends Forwarded is shown', async () => {
  const admin = await (await startTestApi()).signIn()
  const answer = await admin.call({ method: 'GET', url, headers: { forwarded: 'for=203.0.113.9' } })
  expect(answer.json().untrusted_proxy).toMatchObject({ address: '127.0.0.1' })
})

test('a proxy in TRUST_PROXY is not shown', async () => {
  const admin = await (await startTestApi({ trustProxy: ['127.0.0.1'] })).signIn()
  for (const headers of [FORWARDED, { ...FORWARDED, forwarded: 'for=203.0.113.9' }, {}]) {
    expect((await admin.call({ method: 'GET', url, headers })).json().untrusted_proxy).toBeNull()
  }
})

test.for([{ 'x-forwarded-for': 'unknown' }, { forwarded: 'for=203.0.113.9' }])(
  'a proxy in TRUST_PROXY that sends no usable address in %j is shown with different advice',
  async (headers) => {
    const admin = await (await startTestApi({ trustProxy: ['127.0.0.1'] })).signIn()
    const { untrusted_proxy } = (await admin.call({ method: 'GET', url, headers })).json()
    expect(untrusted_proxy).toMatchObject({
      address: '127.0.0.1',
      advice: expect.stringMatching(/^The proxy 127\.0\.0\.1 sends no X-Forwarded-For with an address\./),
    })
  },
)
