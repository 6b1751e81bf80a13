import { finishSingleSignOn } from '@switchboard/contract/single-sign-on'
import { createLogger } from '@switchboard/server/process/log'
import { parseSettings } from '@switchboard/server/settings/env'
import { makeUser } from '@switchboard/testing/factories'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#src/testing/free-port.ts'
import { startHostileIssuer } from '#src/testing/hostile-issuer.ts'
import { ROLES, startSsoApi } from '#src/testing/sso-api.ts'
import { openBrowser } from '#src/testing/sso-browser.ts'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'
import { createSingleSignOn } from './single-sign-on.client.ts'

const issuer = await startHostileIssuer()
afterAll(() => issuer.close())
const consoleUrl = `http://127.0.0.1:${await freePort()}`
const redirectUri = `${consoleUrl}${finishSingleSignOn.url}`
const api = await startSsoApi(consoleUrl, issuer.url)

test('while the issuer is away, a sign-in returns to /login, and the next sign-in after its return works', async () => {
  issuer.isDown = true
  const browser = openBrowser(consoleUrl)
  expect(await browser.start('/tenants')).toBe(`${consoleUrl}/login?redirect=%2Ftenants#sso-error=unavailable`)
  const password = await api.deps.passwords.hash(PASSWORD)
  await makeUser(api.db, { email: 'ada@example.com', password_hash: password })
  const login = await browser.visit('/api/v1/admin/auth/login', {
    json: { email: 'ada@example.com', password: PASSWORD },
  })
  expect(login.status).toBe(200)
  issuer.isDown = false
  expect(await browser.comeBack(issuer.answerTo(await browser.start(), redirectUri))).toMatch(/#sso=/)
})

test('an issuer that goes away during a sign-in is a failure with this reason', async () => {
  const browser = openBrowser(consoleUrl)
  const answer = issuer.answerTo(await browser.start(), redirectUri)
  issuer.isDown = true
  expect(await browser.comeBack(answer)).toBe('/login#sso-error=unavailable')
  issuer.isDown = false
})

test.for([
  ['metadata of another issuer', { issuer: 'https://evil.example' }, /is not available: .*issuer/],
  ['metadata without an endpoint', { token_endpoint: undefined }, /lacks authorization_endpoint, token_endpoint/],
] as const)('%s is one line in the log', async ([, metadata, line]) => {
  issuer.metadata = metadata
  onTestFinished(() => {
    issuer.metadata = {}
  })
  const lines: string[] = []
  const { oidc } = parseSettings({
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: 'console',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_ROLES: ROLES,
    PUBLIC_URL: consoleUrl,
  })
  if (oidc === null) throw new Error('No settings.')
  const log = createLogger('info', { write: (text) => void lines.push(text) })
  const client = createSingleSignOn(oidc, redirectUri, log)
  await client.warmUp()
  await client.close()
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ issuer: issuer.url, msg: expect.stringMatching(line) })
})

test('without settings every sign-in returns to /login, and a logout token is 404', async () => {
  const { call } = await startTestApi()
  const base = '/api/v1/admin/auth/oidc'
  for (const url of [`${base}/start`, `${base}/callback?code=any&state=any`])
    expect((await call({ method: 'GET', url })).headers.location).toBe('/login#sso-error=unavailable')
  const body = { logout_token: 'any' }
  expect((await call({ method: 'POST', url: `${base}/backchannel-logout`, body })).statusCode).toBe(404)
  expect((await call({ method: 'POST', url: `${base}/session`, body: { code: 'any' } })).statusCode).toBe(401)
})

test('under https the cookie is secure, and its name keeps sites on subdomains from setting it', async () => {
  const https = await startSsoApi(consoleUrl.replace(/\d+$/, String(await freePort())), issuer.url, {
    publicUrl: 'https://console.example.com',
  })
  const headers = { host: 'console.example.com' }
  const answer = await https.call({ method: 'GET', url: '/api/v1/admin/auth/oidc/start', headers })
  expect(answer.headers['set-cookie']).toMatch(
    /^__Host-sso=[\w-]{43}; Path=\/; Max-Age=660; HttpOnly; SameSite=Lax; Secure$/,
  )
})

test('a role by the address needs a verified address', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  await startSsoApi(url, issuer.url, { mapping: 'email: mallory@example.com=super_admin' })
  const comeBack = async (email_verified: boolean | undefined) => {
    const browser = openBrowser(url)
    issuer.next = (claims) => issuer.sign.right({ ...claims, email_verified })
    return await browser.comeBack(issuer.answerTo(await browser.start(), `${url}${finishSingleSignOn.url}`))
  }
  expect(await comeBack(undefined)).toBe('/login#sso-error=email_unverified')
  expect(await comeBack(false)).toBe('/login#sso-error=email_unverified')
  expect(await comeBack(true)).toMatch(/#sso=/)
})
