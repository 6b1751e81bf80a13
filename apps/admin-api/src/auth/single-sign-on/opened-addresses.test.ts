import { finishSingleSignOn } from '@switchboard/contract/single-sign-on'
import { SIGN_ON_PATH } from '@switchboard/contract/single-sign-on/sign-on-path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#src/testing/free-port.ts'
import { startHostileIssuer } from '#src/testing/hostile-issuer.ts'
import { startSsoApi } from '#src/testing/sso-api.ts'
import { openBrowser } from '#src/testing/sso-browser.ts'
import { startTestApi } from '#src/testing/test-api.ts'

// Browsers navigate to the start and the callback of a single sign-on, so whatever goes wrong, no answer may be JSON.

const issuer = await startHostileIssuer()
afterAll(() => issuer.close())
const consoleUrl = `http://127.0.0.1:${await freePort()}`
const redirectUri = `${consoleUrl}${finishSingleSignOn.url}`
const api = await startSsoApi(consoleUrl, issuer.url)
const { db } = api

/** Runs while no other connection can read or write the table. */
async function whileLocked<T>(table: 'sso_flows' | 'audit_unsealed', run: () => Promise<T>): Promise<T> {
  const trx = await db.startTransaction().execute()
  try {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
    return await run()
  } finally {
    await trx.rollback().execute()
  }
}

test('while the database is busy, a start leads back to /login, and the next one works', async () => {
  const browser = openBrowser(consoleUrl)
  const location = await whileLocked('sso_flows', () => browser.start('/tenants'))
  expect(location).toBe(`${consoleUrl}/login?redirect=%2Ftenants#sso-error=unavailable`)
  expect(await browser.start('/tenants')).toContain(issuer.url)
  expect(api.logLines.join('')).toContain('a single sign-on failed')
})

test('while the database is busy, an answer leads back to /login, and the same answer works afterwards', async () => {
  const browser = openBrowser(consoleUrl)
  const answer = issuer.answerTo(await browser.start('/tenants'), redirectUri)
  expect(await whileLocked('sso_flows', () => browser.comeBack(answer))).toBe('/login#sso-error=unavailable')
  expect(await browser.comeBack(answer)).toMatch(/^\/login\?redirect=%2Ftenants#sso=/)
})

test('a refusal that cannot be audited leads back to /login', async () => {
  const browser = openBrowser(consoleUrl)
  await browser.start()
  const place = await whileLocked('audit_unsealed', () => browser.comeBack(`${redirectUri}?code=any&state=invented`))
  expect(place).toBe('/login#sso-error=unavailable')
})

test.each([
  [`${SIGN_ON_PATH}?redirect=${'x'.repeat(2_001)}`],
  [`${SIGN_ON_PATH}?redirect=/a&redirect=/b`],
  [`${SIGN_ON_PATH}?unknown=1`],
  [`${SIGN_ON_PATH}?redirect=%ff`],
  [`${SIGN_ON_PATH}?redirect=%00`],
  [`${finishSingleSignOn.url}?state=${'x'.repeat(5_000)}`],
  [`${finishSingleSignOn.url}?state=a&state=b`],
  [`${finishSingleSignOn.url}?state=%ff`],
  [`${finishSingleSignOn.url}?code=%00`],
])('bad input leads back to /login: %.80s', async (path) => {
  const { status, location } = await openBrowser(consoleUrl).visit(path)
  expect([status, location]).toEqual([302, `${consoleUrl}/login#sso-error=unavailable`])
})

test('a request for a host that is not served leads to /login of the console', async () => {
  const { call } = await startTestApi({ publicUrl: 'https://console.example.com' })
  for (const url of [SIGN_ON_PATH, finishSingleSignOn.url]) {
    const answer = await call({ method: 'GET', url, headers: { host: 'other.example' } })
    expect([answer.statusCode, answer.headers.location]).toEqual([
      302,
      'https://console.example.com/login#sso-error=unavailable',
    ])
  }
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  'x',
])('a redirect to %s is dropped, even if the sign-in fails', async (redirect) => {
  const browser = openBrowser(consoleUrl)
  const answer = issuer.answerTo(await browser.start(redirect), redirectUri)
  expect(await browser.comeBack(answer)).toMatch(/^\/login#sso=/)
  const failed = await whileLocked('sso_flows', () => openBrowser(consoleUrl).start(redirect))
  expect(failed).toBe(`${consoleUrl}/login#sso-error=unavailable`)
})
